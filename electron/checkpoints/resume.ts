import type { Message } from '../../shared/checkpoint.js';
import type { SuspensionKey } from '../../shared/decision.js';
import { accepted, type Outcome, refused } from '../../shared/refusal.js';
import type { Profile } from '../../shared/settings.js';
import { formatNs } from '../../shared/time.js';
import { assertPaired, continuedTranscript, rejectionText } from '../../shared/transcript.js';
import { reviewUnlessMarked, runLoop } from '../agent/loop.js';
import { readMemory, writeMemory } from '../agent/memory.js';
import type { Ports, ToolSession } from '../ports.js';
import type { KvStore } from '../store/contract.js';
import { type DispatchEnd, dispatchBatch, type Stops } from './dispatch.js';
import { claimFacts, classOf } from './facts.js';
import type { Latch } from './head.js';
import { effectKeyOf, OpenJournal, openJournal } from './journal.js';
import { claim, claimReconciled, reclaim, refuseStale } from './latch.js';
import { runLoopCall } from './loop-call.js';
import { inOwnWords, mayClaim, type Plan, planFor, refusedByLatch } from './may-fire.js';
import { endedCalls, keepFinished, keepNext, mayWriteNext, memoryKey, successorOf } from './next-record.js';
import { cameClaimed, type Loaded, load, readJournal, readPinned } from './records.js';

/** Continues a run in this process: claim, dispatch, transcript, loop (DESIGN 6). Every refusal comes before the claim. */
export async function resumeHere(
  store: KvStore,
  ports: Ports,
  key: SuspensionKey,
  options: { token: string } & Stops,
): Promise<Outcome<null>> {
  const loaded = await load(store, key);
  if (!loaded.ok) return loaded;
  if (loaded.value.head.route === 'handed_over')
    return refused('handed_over', 'This run is handed over: its own agent claims it.');
  if (loaded.value.record.onlyHandedOver !== undefined)
    return refused('handed_over', loaded.value.record.onlyHandedOver);
  const first = await planOf(store, ports, loaded.value);
  if (!first.ok) return first;
  const next = await mayWriteNext(store, loaded.value);
  if (!next.ok) return next;
  const profile = profileOf(ports, key);
  if (!profile.ok) return profile;
  const { maxSteps } = profile.value;
  const step = loaded.value.record.resumeStep;
  // Otherwise the approved calls would run, and the run would end for want of steps.
  if (step > maxSteps)
    return refused(
      'no_profile',
      `The profile of source "${key.source}" allows ${maxSteps} steps, and this run stands at step ${step}: raise the limit in the settings, then it goes on.`,
      { source: key.source, maxSteps, step },
    );
  // Everything that may be retried is tried before the latch: servers, then the model.
  const session = await ports.tools.open(profile.value.servers);
  if (!session.ok) return session;
  try {
    const reachable = await ports.models.reachable(profile.value.model);
    if (!reachable.ok) return reachable;
    const begun = await begin(store, ports, loaded.value, first.value, options.token);
    if (!begun.ok) return begun;
    await goOn(store, ports, begun.value, { profile: profile.value, session: session.value, ...options });
    return accepted(null);
  } finally {
    await session.value.close();
  }
}

function profileOf(ports: Ports, key: SuspensionKey): Outcome<Profile> {
  const source = ports.settings().sources.find((s) => s.name === key.source);
  if (source?.profile) return accepted(source.profile);
  return refused(
    'no_profile',
    `Source "${key.source}" has no profile: name its model and tool servers in the settings, then it goes on.`,
    { source: key.source },
  );
}

/** What will be done with each call: from the rule for a first claim, from the pinned decision for a later one. */
async function planOf(store: KvStore, ports: Ports, loaded: Loaded): Promise<Outcome<Plan>> {
  const facts = claimFacts(loaded, ports);
  const { latch } = loaded.head;
  const journal = loaded.journal?.journal;
  if (latch === null && !(cameClaimed(loaded) && everySettled(loaded))) {
    const rule = mayClaim(facts);
    return rule.ok ? checkedTranscript(loaded, rule.value) : rule;
  }
  if (journal && ['completed', 'suspended_again', 'failed', 'closed'].includes(journal.continuation.state))
    return overAlready(loaded, 'This suspension is settled; there is nothing to continue.');
  // A crash came between writing the next record and saying so: what it led to is what goes on now.
  if (latch !== null && (await successorOf(store, loaded)) !== null)
    return overAlready(loaded, 'This suspension went on already; its next record is there.');
  const unknown = [...(journal?.calls ?? []), ...(journal?.loop ?? [])].filter((call) => call.state === 'unknown');
  if (unknown.length > 0)
    return refused(
      'unknown_outcome',
      `Nobody knows whether ${unknown.map((call) => call.name).join(', ')} ran. Settle that first.`,
      {
        calls: unknown.map((call) => call.index),
      },
    );
  if (latch !== null && latch.by.pid !== ports.process.pid && ports.isAlive(latch.by))
    return refusedByLatch(latch, loaded, facts.isRepeatable);
  const started = [...(journal?.calls ?? []), ...(journal?.loop ?? [])].some((call) => call.state === 'started');
  if (started)
    return refused(
      'unknown_outcome',
      'A call of this run was started, and what came of it was never saved. Settle it first.',
    );
  if (latch?.decisionId == null || latch.decisionRevision === null)
    return checkedTranscript(loaded, settledPlan(loaded));
  const pinned = await readPinned(store, loaded.key, latch.decisionRevision, latch.decisionSha256);
  if (pinned.kind !== 'decision') return refused('not_decided', 'The decision of this claim is missing.');
  const stale = await refuseStale(store, loaded, latch, pinned.revision);
  if (stale !== null) return stale;
  const plan = planFor(facts, pinned.decision, pinned.revision);
  return plan.ok ? checkedTranscript(loaded, plan.value) : plan;
}

function overAlready(loaded: Loaded, text: string): Outcome<never> {
  const own = inOwnWords(loaded);
  return refused('nothing_to_continue', `${own.words}${text}`, own.facts);
}

const everySettled = (loaded: Loaded): boolean =>
  loaded.journal?.journal.calls.every((call) => call.state !== 'unknown' && call.state !== 'not_started') ?? false;

/** A record that came in latched and was settled by a person: every call has its answer, nothing is dispatched. */
function settledPlan(loaded: Loaded): Plan {
  const calls = (loaded.record.pending ?? []).map((call) => ({ call, kind: 'settled' as const }));
  return {
    decision: null,
    decisionRevision: null,
    calls,
    transcript: { unanswered: [], strays: [], broken: [], answeredPending: [], pendingInHistory: false },
  };
}

/** The transcript must be one that a model takes, before anything fires (I7, C30). */
function checkedTranscript(loaded: Loaded, plan: Plan): Outcome<Plan> {
  const trial = transcriptOf(loaded, plan, () => 'checked before dispatch');
  const paired = assertPaired(trial);
  return paired.ok ? accepted(plan) : paired;
}

interface Begun {
  loaded: Loaded;
  plan: Plan;
  latch: Latch;
  open: OpenJournal;
}

async function begin(store: KvStore, ports: Ports, loaded: Loaded, plan: Plan, token: string): Promise<Outcome<Begun>> {
  const journalAt = loaded.journal;
  if (loaded.head.latch === null && plan.decision !== null) {
    const claimed = await claim(store, ports, loaded.key, token, 'here');
    if (!claimed.ok) return claimed;
    const { latch } = claimed.value;
    await ports.at?.('resume.before-journal');
    const open = await openJournal(store, ports.clock, claimed.value.loaded, claimed.value.plan, latch.claim);
    await ports.at?.('resume.after-journal');
    return accepted({ loaded: claimed.value.loaded, plan: claimed.value.plan, latch, open });
  }
  const latch = await (loaded.head.latch === null ? claimReconciled : reclaim)(store, ports, loaded.key, token);
  if (!latch.ok) return latch;
  if (journalAt === null) {
    // Asked again under the latch: reaching the tool servers and the model took its time.
    const { decisionRevision } = latch.value;
    const stale = decisionRevision === null ? null : await refuseStale(store, loaded, latch.value, decisionRevision);
    if (stale !== null) return stale;
    const open = await openJournal(store, ports.clock, loaded, plan, latch.value.claim);
    return accepted({ loaded, plan, latch: latch.value, open });
  }
  // Somebody may have reported or settled a call between our look and our latch: read again under the latch.
  const fresh = await readJournal(store, loaded.key);
  const open = new OpenJournal(store, fresh ?? journalAt);
  await open.underClaim(latch.value.claim);
  return accepted({ loaded: { ...loaded, journal: fresh }, plan, latch: latch.value, open });
}

interface With extends Stops {
  profile: Profile;
  session: ToolSession;
}

/** Under the claim: run the batch, replace the history atomically, ask the model. Never throws for an expected end. */
async function goOn(store: KvStore, ports: Ports, begun: Begun, use: With): Promise<void> {
  const { loaded, plan, open } = begun;
  const dispatched: DispatchEnd = await dispatchBatch(store, ports, open, plan, use.session, use);
  if (dispatched.kind === 'unknown') return;
  const at = () => formatNs(ports.clock.now());
  if (dispatched.kind === 'stopped') {
    await open.continue({ state: 'not_continued', cause: 'stopped', text: dispatched.text, at: at() });
    return;
  }
  const run = loaded.key;
  const memory = memoryKey(loaded);
  const kept = await readMemory(store, memory);
  const answers = kept?.seq === run.seq ? [] : await answersOf(open);
  const messages =
    kept?.seq === run.seq
      ? kept.messages
      : withSystem(
          use.profile,
          transcriptOf(loaded, plan, (index) => answers[index] ?? ''),
        );
  const step = kept?.seq === run.seq ? kept.step : loaded.record.resumeStep;
  await ports.at?.('resume.before-memory');
  if (kept?.seq !== run.seq) await writeMemory(store, memory, { v: 1, seq: run.seq, step, messages });
  await ports.at?.('resume.after-memory');
  const noReview = (tool: string): boolean => {
    const listed = use.session.tools.find((t) => t.name === tool);
    return listed !== undefined && classOf(ports.settings(), run.source, tool, listed).noReview;
  };
  const end = await runLoop({
    messages,
    step,
    maxSteps: use.profile.maxSteps,
    model: use.profile.model,
    models: ports.models,
    tools: use.session.tools,
    historyLimit: use.profile.historyLimit,
    policy: reviewUnlessMarked(noReview),
    // Asking a model again is harmless, so a person's stop ends that at once.
    signal: AbortSignal.any([use.stop, use.signal]),
    save: (next, nextStep) => writeMemory(store, memory, { v: 1, seq: run.seq, step: nextStep, messages: [...next] }),
    run: (call, atStep) =>
      runLoopCall(ports, open, use.session, call, atStep, use.signal, (index) => effectKeyOf(loaded, atStep, index)),
  });
  await ports.at?.('resume.before-end');
  const ended = endedCalls(plan, open.journal);
  switch (end.kind) {
    case 'completed': {
      const { messages, step, answer } = end;
      const endedAt = at();
      const next = await keepFinished(store, ports, loaded, {
        messages,
        pending: null,
        step,
        createdAt: endedAt,
        ended,
        completed: { answer },
      });
      await ports.at?.('resume.after-finished');
      const over = { state: 'completed' as const, answer, steps: step, at: endedAt };
      await open.continue(next ? { ...over, next } : over);
      return;
    }
    case 'suspended': {
      const createdAt = at();
      const pending = end.pending?.map((call, index) => ({ ...call, index })) ?? null;
      const { messages, step } = end;
      const next = await keepNext(store, ports, loaded, { messages, pending, step, createdAt, ended }, end.reason);
      await ports.at?.('resume.after-suspend');
      await open.continue(
        next.ok
          ? { state: 'suspended_again', seq: next.value.seq, step, at: createdAt, next: next.value }
          : { state: 'failed', cause: next.refusal.code, text: next.refusal.text, at: createdAt },
      );
      return;
    }
    case 'not_continued':
      await open.continue({ state: 'not_continued', cause: end.cause, text: end.text, at: at() });
      return;
    case 'failed':
      await open.continue({ state: 'failed', cause: end.cause, text: end.text, at: at() });
      return;
    case 'unknown':
      // The journal holds the unknown call; a person settles it.
      return;
  }
}

async function answersOf(open: OpenJournal): Promise<string[]> {
  const answers: string[] = [];
  for (const entry of open.journal.calls) answers.push(await open.answer(entry));
  return answers;
}

/** The continued transcript: history, the assistant message with the calls, one answer a call (I7, H8). */
function transcriptOf(loaded: Loaded, plan: Plan, answer: (index: number) => string): Message[] {
  const { record } = loaded;
  if (plan.calls.length === 0) {
    const rejected = plan.decision?.step?.verdict === 'reject';
    const text = rejectionText(plan.decision?.step?.reason ?? '');
    const history = continuedTranscript({
      runId: record.runId,
      messages: record.messages,
      pending: [],
      answers: [],
      repair: rejected || plan.decision?.repair !== undefined,
    });
    return rejected ? [...history, { role: 'user', content: text, toolCalls: [], toolCallId: null }] : history;
  }
  return continuedTranscript({
    runId: record.runId,
    messages: record.messages,
    pending: record.pending ?? [],
    answers: plan.calls.map(({ call }) => ({ index: call.index, text: answer(call.index) })),
    // A whole rejection is always possible: nothing fires, so a synthetic answer needs no consent.
    repair: plan.decision?.repair !== undefined || plan.calls.every((planned) => planned.kind === 'reject'),
  });
}

function withSystem(profile: Profile, messages: Message[]): Message[] {
  if (profile.systemPrompt === '' || messages[0]?.role === 'system') return messages;
  return [{ role: 'system', content: profile.systemPrompt, toolCalls: [], toolCallId: null }, ...messages];
}
