import type { Decision, SuspensionKey } from '../../shared/decision.js';
import { accepted, type Outcome, refused } from '../../shared/refusal.js';
import { formatNs } from '../../shared/time.js';
import type { HandedOver } from '../formats/format.js';
import type { Ports } from '../ports.js';
import { CasConflict, type KvStore } from '../store/contract.js';
import { keepEvidence } from './evidence.js';
import { claimFacts } from './facts.js';
import { OpenJournal, openJournal } from './journal.js';
import { claim, claimDigest, refuseStale } from './latch.js';
import { planFor } from './may-fire.js';
import { type Loaded, load, readDecision, readHead, readPinned, writeHead } from './records.js';
import { isResult } from './results.js';

/** What an agent gets, exactly once a token and again and again for that token (H13). */
export interface HandOver extends HandedOver {
  suspension: SuspensionKey;
  decision: Decision;
  /** Per call: what may be run, with exactly these arguments. */
  calls: {
    index: number;
    id: string;
    name: string;
    verdict: 'approve' | 'reject' | 'answer';
    arguments: string;
    answer: string | null;
    /** The system's own idempotency key of the call, where it has one. */
    effectKey?: string;
  }[];
}

/**
 * Claims a decided run for the agent that holds `token`, or answers again when this token already did. Refused while
 * undecided (`not_decided`), inside the undo window, or when another token won (`already_claimed`).
 */
export async function handOver(
  store: KvStore,
  ports: Ports,
  key: SuspensionKey,
  token: string,
): Promise<Outcome<HandOver>> {
  const loaded = await load(store, key);
  if (!loaded.ok) return loaded;
  const { latch, route } = loaded.value.head;
  if (latch === null && route !== 'handed_over')
    return refused('continues_here', 'This run continues in the window; it is not handed over.');
  if (latch === null) {
    const claimed = await claim(store, ports, key, token, 'handed_over');
    if (!claimed.ok) return claimed;
    await ports.at?.('await.before-journal');
    await openJournal(store, ports.clock, claimed.value.loaded, claimed.value.plan, claimed.value.latch.claim);
    // With the journal open the claim holds for good: a decision taken back from here on came too late.
    const held = await load(store, key);
    return held.ok ? answerFor(store, ports, held.value) : held;
  }
  if (latch.kind !== 'handed_over' || latch.claim !== claimDigest(token))
    return refused('already_claimed', `Already claimed at ${latch.at} by ${latch.by.name}; this token did not win.`, {
      by: latch.by.name,
      at: latch.at,
      decisionId: latch.decisionId,
    });
  return answerFor(store, ports, loaded.value);
}

/** The same answer for the same claim: from the pinned decision and the original bytes. */
async function answerFor(store: KvStore, ports: Ports, loaded: Loaded): Promise<Outcome<HandOver>> {
  const { latch } = loaded.head;
  if (latch?.decisionRevision == null) return refused('not_decided', 'This claim has no decision.');
  const pinned = await readPinned(store, loaded.key, latch.decisionRevision, latch.decisionSha256);
  if (pinned.kind !== 'decision') return refused('not_decided', 'The decision of this claim is missing.');
  const plan = planFor({ ...claimFacts(loaded, ports), route: 'handed_over' }, pinned.decision, pinned.revision);
  if (!plan.ok) return plan;
  const stale = await refuseStale(store, loaded, latch, pinned.revision);
  if (stale !== null) return stale;
  const open = await journalOf(store, ports, loaded, plan.value);
  const answers: string[] = [];
  for (const { index } of loaded.record.pending ?? [])
    answers.push(await open.answer(open.journal.calls.find((e) => e.index === index && e.state === 'rejected')));
  const { decision } = pinned;
  const beside = loaded.beside?.decided(decision);
  const decided = beside?.ok && beside.value.length > 0 ? { neighbours: beside.value } : {};
  const ownClaim = loaded.beside?.claimText(latch.claim, latch.at) ?? null;
  return accepted({
    ...loaded.format.handOver(loaded.bytes, loaded.record, decision),
    ...decided,
    ...(ownClaim === null ? {} : { claim: ownClaim }),
    suspension: loaded.key,
    decision,
    calls: (loaded.record.pending ?? []).map((call, position) => {
      const verdict = decision.verdicts.find((v) => v.index === call.index);
      const entry = open.journal.calls.find((e) => e.index === call.index);
      return {
        index: call.index,
        id: entry?.id ?? '',
        name: call.name,
        verdict: verdict?.verdict ?? 'reject',
        arguments: verdict?.editedArguments ?? call.arguments,
        answer: entry?.state === 'rejected' ? (answers[position] ?? '') : (verdict?.answer?.text ?? null),
        ...(entry?.effectKey === undefined ? {} : { effectKey: entry.effectKey }),
      };
    }),
  });
}

async function journalOf(
  store: KvStore,
  ports: Ports,
  loaded: Loaded,
  plan: Parameters<typeof openJournal>[3],
): Promise<OpenJournal> {
  const claimed = loaded.head.latch?.claim ?? '';
  if (loaded.journal?.journal.claim === claimed) return new OpenJournal(store, loaded.journal);
  return openJournal(store, ports.clock, loaded, plan, claimed);
}

/** Durable before the agent's effect. Refused when the call was started before: it may have run. */
export async function startCall(
  store: KvStore,
  ports: Ports,
  key: SuspensionKey,
  call: number,
  token: string,
): Promise<Outcome<null>> {
  return underClaim(store, key, token, async (open) => {
    const entry = open.journal.calls.find((e) => e.index === call);
    if (entry === undefined) return refused('bad_request', `There is no call ${call} in this run.`);
    if (entry.state !== 'not_started')
      return refused(
        'illegal_call_state',
        `Call ${call} (${entry.name}) is ${entry.state.replace('_', ' ')}; it may not be started.`,
        { state: entry.state },
      );
    await open.move(call, 'started', { startedAt: formatNs(ports.clock.now()) });
    return accepted(null);
  });
}

/** What came of a started call. The same report again is accepted; another one is refused and kept as evidence. */
export async function reportCall(
  store: KvStore,
  ports: Ports,
  key: SuspensionKey,
  call: number,
  token: string,
  report: { kind: 'result' | 'error'; text: string },
): Promise<Outcome<null>> {
  return underClaim(store, key, token, async (open) => {
    const entry = open.journal.calls.find((e) => e.index === call);
    if (entry === undefined) return refused('bad_request', `There is no call ${call} in this run.`);
    const to = report.kind === 'result' ? 'done' : 'failed';
    if (entry.state === to && isResult(entry, report.text)) return accepted(null);
    if (entry.state !== 'started') {
      await keepEvidence(store, ports, {
        kind: 'late_report',
        suspension: key,
        by: null,
        call,
        text: `A report came for call ${call} (${entry.name}), which is ${entry.state.replace('_', ' ')}.`,
        facts: { report },
      });
      return refused(
        'illegal_call_state',
        `Call ${call} (${entry.name}) is ${entry.state.replace('_', ' ')}; the report is kept as evidence only.`,
        { state: entry.state },
      );
    }
    await open.move(call, to, {
      result: report.text,
      endedAt: formatNs(ports.clock.now()),
      ...(to === 'failed' ? { cause: 'tool_error' } : {}),
    });
    return accepted(null);
  });
}

/** The agent's run is over. Refused while an approved call has no outcome: no decided call stays without one. */
export async function complete(
  store: KvStore,
  ports: Ports,
  key: SuspensionKey,
  token: string,
  answer: string,
): Promise<Outcome<null>> {
  return underClaim(store, key, token, async (open) => {
    const { continuation } = open.journal;
    if (continuation.state === 'completed' && continuation.answer === answer) return accepted(null);
    const unsettled = open.journal.calls.filter(
      (e) => e.state === 'not_started' || e.state === 'started' || e.state === 'unknown',
    );
    if (unsettled.length > 0)
      return refused(
        'illegal_call_state',
        `These calls have no outcome yet: ${unsettled.map((e) => `${e.index} (${e.name})`).join(', ')}. Report each first.`,
        {
          calls: unsettled.map((e) => e.index),
        },
      );
    await open.continue({ state: 'completed', answer, steps: 0, at: formatNs(ports.clock.now()) });
    return accepted(null);
  });
}

async function underClaim(
  store: KvStore,
  key: SuspensionKey,
  token: string,
  act: (open: OpenJournal) => Promise<Outcome<null>>,
): Promise<Outcome<null>> {
  for (;;) {
    const loaded = await load(store, key);
    if (!loaded.ok) return loaded;
    const { latch } = loaded.value.head;
    if (latch === null) return refused('wrong_token', 'This run is not claimed. Ask for the decision first (await).');
    if (latch.kind !== 'handed_over' || latch.claim !== claimDigest(token))
      return refused('wrong_token', `This run was claimed with another token, at ${latch.at} by ${latch.by.name}.`);
    if (loaded.value.journal === null)
      return refused(
        'wrong_token',
        'The claim is not complete. Ask for the decision again with the same token (await).',
      );
    if (loaded.value.journal.journal.claim !== latch.claim)
      return refused('wrong_token', 'A person released this claim. Ask for the decision again (await).');
    if (loaded.value.journal.journal.continuation.state === 'closed')
      return refused('illegal_call_state', 'A person gave this run up; nothing more is taken.');
    try {
      return await act(new OpenJournal(store, loaded.value.journal));
    } catch (error) {
      if (!(error instanceof CasConflict)) throw error;
    }
  }
}

/** The agent takes its run back while nobody has claimed it. Not a rejection: nobody decided. */
export async function withdraw(store: KvStore, ports: Ports, key: SuspensionKey, by: string): Promise<Outcome<null>> {
  for (;;) {
    const at = await readHead(store, key);
    if (at === null) return refused('not_found', 'This run is gone.');
    if (at.head.withdrawn) return accepted(null);
    if (at.head.latch)
      return refused('too_late', `Too late: claimed at ${at.head.latch.at} by ${at.head.latch.by.name}.`);
    if (at.head.supersededBy !== null)
      return refused('superseded', 'A later suspension of this run replaced this one.');
    const decision = await readDecision(store, key);
    if (decision.kind === 'decision' && !decision.decision.withdrawn)
      return refused(
        'already_decided',
        `${decision.decision.reviewer.name} decided this at ${decision.decision.decidedAt}; a decided run is not withdrawn.`,
      );
    try {
      await writeHead(store, { ...at.head, withdrawn: { by, at: formatNs(ports.clock.now()) } }, at.revision);
      return accepted(null);
    } catch (error) {
      if (!(error instanceof CasConflict)) throw error;
    }
  }
}

/** A person releases a handed-over claim of which no call was started; a new decision is not needed (H13). */
export async function release(store: KvStore, ports: Ports, key: SuspensionKey, by: string): Promise<Outcome<null>> {
  const loaded = await load(store, key);
  if (!loaded.ok) return loaded;
  const { head, journal } = loaded.value;
  if (head.latch?.kind !== 'handed_over')
    return refused('not_allowed', 'Only a claim that was handed over can be released.');
  const begun = journal?.journal.calls.filter((e) => !['not_started', 'rejected', 'answered'].includes(e.state)) ?? [];
  if (begun.length > 0 || journal?.journal.continuation.state === 'completed')
    return refused(
      'too_late',
      `Calls of this claim were started: ${begun.map((e) => e.name).join(', ')}. Settle them by reconciliation.`,
    );
  // The journal moves first: the old token's next act meets a conflict, reads again, and finds itself without a claim.
  if (journal) await new OpenJournal(store, journal).underClaim('released');
  await ports.at?.('release.before-latch');
  await writeHead(store, { ...head, latch: null }, loaded.value.revision);
  await keepEvidence(store, ports, {
    kind: 'released',
    suspension: key,
    by,
    text: `Released the claim taken at ${head.latch.at} by ${head.latch.by.name}: no call had started.`,
    facts: { latch: head.latch },
  });
  return accepted(null);
}
