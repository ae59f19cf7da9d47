import type { Decision, SuspensionKey, Verdict } from '../../shared/decision.js';
import { accepted, type Outcome, refused } from '../../shared/refusal.js';
import { formatNs } from '../../shared/time.js';
import type { TranscriptCheck } from '../../shared/transcript.js';
import type { Ports } from '../ports.js';
import { CasConflict, type KvStore } from '../store/contract.js';
import { guarded } from '../store/refusal.js';
import { checkedEdits } from './edits.js';
import { keepEvidence } from './evidence.js';
import { claimFacts } from './facts.js';
import { mayAnswerByRule } from './may-answer.js';
import { type ClaimFacts, mayDecide, tampered } from './may-fire.js';
import { type Loaded, load, readDecision, readHead, readJournal, writeDecision, writeDecisions } from './records.js';
import { ruleFacts } from './rules/facts.js';
import { withSignature } from './signatures.js';

export interface Submitted {
  key: SuspensionKey;
  /** What was on screen (I3). */
  binding: { revision: number; resumeStep: number; digest: string };
  verdicts: readonly Omit<Verdict, 'editedSha256'>[];
  step?: Decision['step'] | undefined;
  repair: boolean;
  /** The reviewer read the warning and lets what is in flight run again (R7). */
  retry?: boolean;
  reviewer: { name: string };
  /** Rules of the reviewer answered, and no person. */
  rules?: Decision['rules'];
  batchId?: string;
}

/**
 * Writes the decision of one batch, atomically, and nothing else (DESIGN 6.1). Acknowledged only when durable (I4).
 * Refused by name when the record moved on, when the batch is incomplete, or when somebody decided first (H10).
 */
export async function decide(store: KvStore, ports: Ports, submitted: Submitted): Promise<Outcome<Decision>> {
  const [decided] = await decideMany(store, ports, [submitted]);
  if (decided === undefined) throw new Error('one answer for one decision');
  return decided;
}

/**
 * The same for several suspensions at once: each is checked, bound, written and answered by itself, by the same rules, and
 * one refusal or fault changes nothing for the others. What is written together is synced together, so a bulk act is
 * acknowledged after a few syncs instead of two for each. The answers come in the order of what was submitted.
 */
export async function decideMany(
  store: KvStore,
  ports: Ports,
  submitted: readonly Submitted[],
): Promise<Outcome<Decision>[]> {
  const drafts: Outcome<Draft>[] = [];
  for (const one of submitted) drafts.push(await each(submitted, () => draft(store, ports, one)));
  const ready = drafts.flatMap((one) => (one.ok ? [one.value] : []));
  await ports.at?.('decide.before-write');
  const errors = await write(store, ready);
  await ports.at?.('decide.after-write');
  const answers: Outcome<Decision>[] = [];
  for (const one of drafts) {
    if (!one.ok) answers.push(one);
    else answers.push(await each(submitted, () => answer(store, ports, one.value, errors.get(one.value) ?? null)));
  }
  return answers;
}

interface Draft {
  submitted: Submitted;
  decision: Decision;
  /** The revision of the decision that this one follows; null = none. */
  expected: number | null;
}

/** One fault among several is an answer of its own; the fault of a single one is thrown as it is. */
function each<T>(submitted: readonly Submitted[], act: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
  return submitted.length > 1 ? guarded(act) : act();
}

async function write(store: KvStore, drafts: readonly Draft[]): Promise<Map<Draft, Error | null>> {
  const [only] = drafts;
  if (only === undefined) return new Map();
  if (drafts.length > 1) {
    const errors = await writeDecisions(store, drafts);
    return new Map(drafts.map((one, n) => [one, errors[n] ?? null]));
  }
  try {
    await writeDecision(store, only.decision, only.expected);
    return new Map([[only, null]]);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return new Map([[only, error]]);
  }
}

/** Checks one decision against what is in the store (I3), and makes its record; nothing is written yet. */
async function draft(store: KvStore, ports: Ports, submitted: Submitted): Promise<Outcome<Draft>> {
  const loaded = await load(store, submitted.key);
  if (!loaded.ok) return loaded;
  const { head, record, revision, decision: before } = loaded.value;
  const seen = submitted.binding;
  if (seen.revision !== revision || seen.digest !== head.digest || seen.resumeStep !== record.resumeStep) {
    // A latch taken meanwhile also moved the revision: then the winner is the better answer.
    const rule = mayDecide(claimFacts(loaded.value, ports), {
      verdicts: [],
      repair: false,
      retry: retryOf(submitted, loaded.value),
    });
    if (!rule.ok && rule.refusal.code !== 'incomplete_decision') return late(store, ports, submitted, rule);
    return refused('changed_since_you_looked', 'The record changed since you looked; it is shown again as it is now.', {
      seen,
      now: { revision, digest: head.digest, resumeStep: record.resumeStep },
    });
  }
  const edits = checkedEdits(
    submitted.verdicts,
    loaded.value.record.pending ?? [],
    ports.listed?.(submitted.key.source) ?? [],
  );
  if (!edits.ok) return edits;
  const verdicts = edits.value;
  const facts = claimFacts(loaded.value, ports);
  const retry = retryOf(submitted, loaded.value);
  const rule = mayDecide(facts, { verdicts, step: submitted.step, repair: submitted.repair, retry });
  if (!rule.ok) return late(store, ports, submitted, rule);
  if (submitted.rules) {
    const byRule = mayAnswerByRule(facts, ruleFacts(loaded.value, ports), { ...submitted, verdicts });
    if (!byRule.ok) return byRule;
  }
  if (before.kind === 'closed') return refused('expired', `This run expired at ${before.closed.at}.`);
  if (before.kind === 'decision' && stands(before.decision, facts))
    return second(store, ports, submitted, before.decision);
  const signer = await ports.signing.signer();
  if (!signer.ok) return signer;
  const now = ports.clock.now();
  const unsigned: Decision = {
    v: 1,
    decisionId: ports.ids.ulid(),
    suspension: submitted.key,
    resumeStep: record.resumeStep,
    revision,
    digest: head.digest,
    verdicts,
    ...(submitted.step ? { step: submitted.step } : {}),
    ...repairOf(submitted, rule.value),
    ...(retry ? { retry } : {}),
    ...(submitted.rules ? { rules: submitted.rules } : {}),
    reviewer: { ...submitted.reviewer, keyId: signer.value.keyId },
    decidedAt: formatNs(now),
    notBefore: formatNs(now + BigInt(ports.settings().undoSeconds) * 1_000_000_000n),
    ...(submitted.batchId ? { batchId: submitted.batchId } : {}),
    ...(before.kind === 'decision' ? { supersedes: [before.decision.decisionId] } : {}),
    signatures: [],
  };
  const source = ports.settings().sources.find((s) => s.name === submitted.key.source);
  const taken = loaded.value.format.checkDecision(record, unsigned, {
    wholeBatchOnly: source?.wholeBatchOnly ?? false,
  });
  if (!taken.ok) return taken;
  const beside = loaded.value.beside?.decided(unsigned);
  if (beside && !beside.ok) return beside;
  const decision = withSignature(unsigned, signer.value, submitted.reviewer.name, unsigned.decidedAt);
  return accepted({ submitted, decision, expected: before.revision });
}

/** What became of a decision that was written, or whose write failed. */
async function answer(
  store: KvStore,
  ports: Ports,
  { submitted, decision }: Draft,
  error: Error | null,
): Promise<Outcome<Decision>> {
  if (error !== null) {
    if (!(error instanceof CasConflict)) throw error;
    const winner = await readDecision(store, submitted.key);
    if (winner.kind === 'closed') return refused('expired', `This run expired at ${winner.closed.at}.`);
    if (winner.kind === 'decision') return second(store, ports, submitted, winner.decision);
    throw error;
  }
  // The record may have moved on while the decision was written: then it is evidence, and says so (H2).
  const looked = await guarded(async () => accepted(await readHead(store, submitted.key)));
  if (!looked.ok)
    return refused(
      'in_doubt',
      `The decision is saved and stands; whether the run moved on meanwhile could not be read (${looked.refusal.text}). Look at the run again.`,
      { decisionId: decision.decisionId },
    );
  const after = looked.value;
  if (after === null || after.head.withdrawn !== null || after.head.supersededBy !== null) {
    const code = after?.head.supersededBy != null ? 'superseded' : after?.head.withdrawn ? 'withdrawn' : 'tombstone';
    return refused(code, 'The run moved on while you decided. Your decision is kept as evidence; nothing fires.');
  }
  return accepted(decision);
}

/** What the reviewer agreed to, so that a model takes the history (C30). */
function repairOf({ repair }: Submitted, { unanswered, strays }: TranscriptCheck): Pick<Decision, 'repair'> {
  if (!repair || unanswered.length + strays.length === 0) return {};
  const leftOut = strays.length > 0 ? { leftOut: strays.map(({ message }) => message) } : {};
  return { repair: { unanswered: unanswered.map(({ message, id }) => ({ message, id })), ...leftOut } };
}

/** What would run again, in the words that the reviewer was warned with; undefined where nothing is in flight. */
function retryOf(submitted: Submitted, { format, bytes }: Loaded): Decision['retry'] {
  return submitted.retry ? (format.ambiguity?.(bytes)?.retry ?? undefined) : undefined;
}

/** Somebody decided this. What was taken back, is held by an objection, or was signed by nobody known, may be decided again. */
function stands(decision: Decision, facts: ClaimFacts): boolean {
  return !decision.withdrawn && (decision.objections?.length ?? 0) === 0 && tampered(facts) === null;
}

/** Somebody decided first: who, what and when, and the attempt is kept as "came second" (H10). */
async function second(store: KvStore, ports: Ports, submitted: Submitted, first: Decision): Promise<Outcome<never>> {
  const what = [...first.verdicts.map((v) => v.verdict), ...(first.step ? [first.step.verdict] : [])].join(', ');
  await keepEvidence(store, ports, {
    kind: 'came_second',
    suspension: submitted.key,
    by: submitted.reviewer.name,
    text: `Decided after ${first.reviewer.name}; not taken.`,
    facts: { verdicts: submitted.verdicts, step: submitted.step ?? null, first: first.decisionId },
  });
  return refused(
    'already_decided',
    `${first.reviewer.name} decided this first, at ${first.decidedAt}: ${what}. Yours is kept in the history as "came second".`,
    {
      by: first.reviewer.name,
      at: first.decidedAt,
      decisionId: first.decisionId,
      verdicts: first.verdicts,
      step: first.step ?? null,
    },
  );
}

/** A decision that comes too late is kept, and told what happened instead. */
async function late(
  store: KvStore,
  ports: Ports,
  submitted: Submitted,
  answer: Outcome<never> | Outcome<unknown>,
): Promise<Outcome<never>> {
  if (answer.ok) throw new Error('only a refusal can be late');
  const { refusal } = answer;
  const codes = ['already_claimed', 'ResumeReplayBlocked', 'expired', 'withdrawn', 'superseded'];
  // A rule was no person's attempt.
  if (!submitted.rules && codes.includes(refusal.code) && submitted.verdicts.length + (submitted.step ? 1 : 0) > 0)
    await keepEvidence(store, ports, {
      kind: 'came_too_late',
      suspension: submitted.key,
      by: submitted.reviewer.name,
      text: refusal.text,
      facts: { verdicts: submitted.verdicts, step: submitted.step ?? null, code: refusal.code },
    });
  if (refusal.code !== 'already_claimed') return { ok: false, refusal };
  const decided = await readDecision(store, submitted.key);
  if (decided.kind !== 'decision') return { ok: false, refusal };
  const said = decided.decision.verdicts.map((v) => v.verdict).join(', ') || (decided.decision.step?.verdict ?? '');
  const by = decided.decision.reviewer.name;
  return refused(
    'already_claimed',
    `Already decided by ${by} at ${decided.decision.decidedAt} (${said}), and claimed since. ${refusal.text}`,
    {
      ...refusal.facts,
      decidedBy: by,
      decidedAt: decided.decision.decidedAt,
      verdict: said,
    },
  );
}

/**
 * Takes a decision back before the claim (H9). A claim may be on its way in another process: it pins the decision it
 * read and looks again after its latch, so exactly one of the two stands; who came too late is told.
 */
export async function undo(store: KvStore, ports: Ports, key: SuspensionKey, by: string): Promise<Outcome<null>> {
  const at = await readHead(store, key);
  if (at === null) return refused('not_found', 'This run is gone.');
  if (at.head.latch) return tooLate(store, key, at.head.latch.at, at.head.latch.by.name);
  const current = await readDecision(store, key);
  if (current.kind !== 'decision' || current.decision.withdrawn)
    return refused('not_decided', 'There is no decision to take back.');
  const withdrawn = { by, at: formatNs(ports.clock.now()) };
  await writeDecision(store, { ...current.decision, withdrawn }, current.revision);
  for (let wait = 0; wait < 40; wait++) {
    const after = await readHead(store, key);
    if (after === null || after.head.latch === null) return accepted(null);
    // The claimer opens its journal only after it has seen the decision unchanged: then it was first.
    if ((await readJournal(store, key)) !== null)
      return tooLate(store, key, after.head.latch.at, after.head.latch.by.name);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return refused(
    'in_doubt',
    'A claim is being taken at this moment. Look at the run again before you rely on the undo.',
  );
}

async function tooLate(store: KvStore, key: SuspensionKey, at: string, by: string): Promise<Outcome<null>> {
  const journal = await readJournal(store, key);
  const calls = journal?.journal.calls.map((call) => `${call.name}: ${call.state.replace('_', ' ')}`).join(', ');
  return refused('too_late', `Too late: claimed at ${at} by ${by}.${calls ? ` ${calls}.` : ''}`, { at, by });
}

/** A second reviewer's objection holds a decided run until a new decision that names it (H10). */
export async function object(
  store: KvStore,
  ports: Ports,
  key: SuspensionKey,
  by: string,
  text: string,
): Promise<Outcome<null>> {
  const at = await readHead(store, key);
  if (at === null) return refused('not_found', 'This run is gone.');
  if (at.head.latch) return tooLate(store, key, at.head.latch.at, at.head.latch.by.name);
  const current = await readDecision(store, key);
  if (current.kind !== 'decision' || current.decision.withdrawn)
    return refused('not_decided', 'There is no decision to object to.');
  const objection = { by, at: formatNs(ports.clock.now()), text };
  await writeDecision(
    store,
    { ...current.decision, objections: [...(current.decision.objections ?? []), objection] },
    current.revision,
  );
  const after = await readHead(store, key);
  return after?.head.latch ? tooLate(store, key, after.head.latch.at, after.head.latch.by.name) : accepted(null);
}
