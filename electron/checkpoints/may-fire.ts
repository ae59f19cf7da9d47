import { sendable } from '../../shared/arguments.js';
import type { NormalRecord, PendingCall } from '../../shared/checkpoint.js';
import type { Decision, Verdict } from '../../shared/decision.js';
import type { CallEntry, Journal } from '../../shared/journal.js';
import { accepted, type Outcome, type Refusal, refused } from '../../shared/refusal.js';
import { parseTime } from '../../shared/time.js';
import type { ToolFacts } from '../../shared/tool-table.js';
import { checkTranscript, type TranscriptCheck } from '../../shared/transcript.js';
import { argumentsDigest, recordDigest } from './digest.js';
import { ageFrom, isExpired } from './expiry.js';
import type { Latch } from './head.js';
import { classForRules } from './may-answer.js';
import { cameClaimed, type Loaded } from './records.js';
import { type KnownKey, verifyHere } from './signatures.js';

/**
 * "May this call fire?" The whole rule is in this file, pure: facts read from the store in, a plan or a refusal out.
 * Everything that claims (button, retry, recovery, command line) goes through `mayClaim`; everything that dispatches
 * goes through `mayDispatch`. What may be decided is the same rule one step earlier: `mayDecide`.
 */

export interface ClaimFacts {
  loaded: Loaded;
  /** Nanoseconds since the epoch. */
  now: bigint;
  /** Nanoseconds, or null when nothing expires. */
  ttl: bigint | null;
  /** Whether the reviewer's own table says that the tool is repeatable. Unknown tool: false (K8). */
  isRepeatable(tool: string): boolean;
  /** The class of a tool by the reviewer's table, raised by what its server claims. */
  classOf(tool: string): ToolFacts;
  /** Where the claim continues: `here` sends to tool servers, which take objects only. */
  route: 'here' | 'handed_over';
  /** Keys whose signatures count. */
  known: readonly KnownKey[];
  /** Whether a call of this tool needs a second reviewer's signature, by the reviewer's own table and rule. */
  needsTwo(tool: string): boolean;
  /** The rule of two is on: a turn that may run twice needs the second signature as well. */
  twoPersons: boolean;
}

export type PlannedCall = { call: PendingCall } & (
  | { kind: 'dispatch'; text: string; sha256: string; edited: boolean }
  | { kind: 'reject'; reason: string }
  /** A call that is made elsewhere: the reviewer gave its result, nothing is dispatched. */
  | { kind: 'answer'; answer: NonNullable<Verdict['answer']> }
  /** The transcript already holds its answer, or a person or an earlier claim settled it: never dispatched (H7). */
  | { kind: 'settled' }
);

export interface Plan {
  decision: Decision | null;
  decisionRevision: number | null;
  calls: PlannedCall[];
  transcript: TranscriptCheck;
}

/**
 * Whose latch counts? A run that was handed to the shared engine, or came from it, is claimed there first: its head here
 * is claimed only under the claim that was won there. `won` is the id of that run in the engine, or null.
 */
export function mayClaimWhere(shared: { id: string } | null, won: string | null): Outcome<null> {
  if (shared === null || shared.id === won) return accepted(null);
  return refused(
    'shared_engine',
    'This run is kept in the shared engine, and is claimed there first: that takes a connection.',
    {
      id: shared.id,
    },
  );
}

/** The names that a replay refusal lists: not repeatable, in batch order, duplicates kept (K8, K10). */
export function nonRepeatable(loaded: Loaded, isRepeatable: (tool: string) => boolean): string[] {
  return (loaded.record.pending ?? []).filter((call) => !isRepeatable(call.name)).map((call) => call.name);
}

/** The calls that still need a verdict: not answered in the transcript, not settled in the journal. */
export function openCalls(loaded: Loaded): PendingCall[] {
  const answered = checkTranscript(loaded.record.messages, loaded.record.pending).answeredPending;
  return (loaded.record.pending ?? []).filter((call) => {
    const entry = loaded.journal?.journal.calls.find((e) => e.index === call.index);
    return !answered.includes(call.index) && (entry === undefined || entry.state === 'not_started');
  });
}

/** Refuses when the record has moved on, is held by a claim, or is too old; the winner is named (I2). */
function stillOpen({ loaded, now, ttl, isRepeatable }: ClaimFacts, retry?: Decision['retry']): Outcome<null> {
  const { head, record, journal, beside } = loaded;
  if (head.latch) return refusedByLatch(head.latch, loaded, isRepeatable);
  if (head.withdrawn)
    return refused('withdrawn', `The agent withdrew this run at ${head.withdrawn.at}.`, { ...head.withdrawn });
  if (head.supersededBy !== null)
    return refused('superseded', `The run moved on: it suspended again as number ${head.supersededBy}.`, {
      seq: head.supersededBy,
    });
  if (beside?.claim?.state === 'held' && beside.refusal) return { ok: false, refusal: beside.refusal };
  if (cameClaimed(loaded)) {
    const settled = journal?.journal.calls.every((call) => call.state !== 'unknown') ?? false;
    if (!settled && beside?.refusal) return { ok: false, refusal: beside.refusal };
    if (!settled)
      return refused(
        'ResumeReplayBlocked',
        `This record came in already latched: somebody claimed it before. Not repeatable: ${nonRepeatable(loaded, isRepeatable).join(', ') || 'none'}. Settle each call by reconciliation.`,
        { run_id: record.runId, tools: nonRepeatable(loaded, isRepeatable) },
      );
  } else if (record.state === 'in_flight') {
    const inDoubt = mayRetry(loaded, retry);
    if (!inDoubt.ok) return inDoubt;
  } else if (record.state !== 'waiting' && !goesOn(record)) {
    return refused('not_waiting', `This record says "${record.state}": nothing in it waits for a person.`);
  }
  if (isExpired(ageFrom(head.createdAtNs, head.takenInAtNs), now, ttl))
    return refused('expired', 'This run is older than the ttl; its calls may no longer fire. Nobody rejected it.');
  return accepted(null);
}

/** Nothing in it waits, and a person may let it go on all the same. */
export function goesOn(record: NormalRecord): boolean {
  return record.state === 'running' && record.resumable;
}

/** What is in flight is refused by its system's own default, but for the one turn that a person lets run again (R7). */
function mayRetry({ format, bytes, record }: Loaded, retry: Decision['retry']): Outcome<null> {
  const doubt = format.ambiguity?.(bytes) ?? null;
  if (doubt === null)
    return refused('not_waiting', `This record says "${record.state}": nothing in it waits for a person.`);
  if (retry !== undefined && doubt.retry?.turn === retry.turn) return accepted(null);
  return { ok: false, refusal: doubt.refusal };
}

/** The system's own name and words for a claim that is lost, in front of ours. */
export function inOwnWords({ format, record }: Loaded): { words: string; facts: Record<string, unknown> } {
  const own = format.claimLost?.(record);
  return own ? { words: `${own.text}. `, facts: { upstream: own.upstream } } : { words: '', facts: {} };
}

export function refusedByLatch(latch: Latch, loaded: Loaded, isRepeatable: (tool: string) => boolean): Outcome<never> {
  const tools = nonRepeatable(loaded, isRepeatable);
  const own = inOwnWords(loaded);
  return refused(
    'already_claimed',
    `${own.words}Already claimed at ${latch.at} by ${latch.by.name} (process ${latch.by.pid} on ${latch.by.host}). Nothing was changed.`,
    {
      by: latch.by.name,
      pid: latch.by.pid,
      at: latch.at,
      decisionId: latch.decisionId,
      run_id: loaded.record.runId,
      tools,
      ...own.facts,
    },
  );
}

/** May this suspension be decided as submitted? `verdicts` and `repair` are what the reviewer said. */
export function mayDecide(
  facts: ClaimFacts,
  said: {
    verdicts: readonly Verdict[];
    step?: Decision['step'] | undefined;
    repair: boolean;
    retry?: Decision['retry'] | undefined;
  },
): Outcome<TranscriptCheck> {
  const open = stillOpen(facts, said.retry);
  if (!open.ok) return open;
  const { loaded } = facts;
  const needed = openCalls(loaded);
  if (needed.length === 0 && !said.step) return refused('incomplete_decision', 'Say what shall happen with this step.');
  if (needed.length > 0 && said.step)
    return refused('incomplete_decision', 'This stop has calls: each needs a verdict of its own.');
  const missing = needed.filter((call) => said.verdicts.filter((v) => v.index === call.index).length !== 1);
  const extra = said.verdicts.filter((v) => !needed.some((call) => call.index === v.index));
  if (missing.length > 0 || extra.length > 0)
    return refused(
      'incomplete_decision',
      'Every open call needs exactly one verdict, and no other call may have one.',
      {
        missing: missing.map((call) => call.index),
        extra: extra.map((v) => v.index),
      },
    );
  for (const verdict of said.verdicts) {
    const call = needed.find((c) => c.index === verdict.index);
    if (call && call.argumentsSha256 !== verdict.argumentsSha256)
      return refused('changed_since_you_looked', `Call ${call.index + 1} (${call.name}) is not the one you read.`, {
        index: call.index,
      });
    const fits = call ? fitsCall(call, verdict, facts.route) : accepted(null);
    if (!fits.ok) return fits;
  }
  return approvable(
    facts,
    [...said.verdicts.map((v) => v.verdict), ...(said.step ? [said.step.verdict] : [])],
    said.repair,
  );
}

/** A call that is made elsewhere takes its result, or a rejection; any other takes no result. */
function fitsCall(call: PendingCall, verdict: Verdict, route: ClaimFacts['route']): Outcome<null> {
  const name = `Call ${call.index + 1} (${call.name})`;
  if (call.needs === 'result' && verdict.verdict === 'approve')
    return refused('incomplete_decision', `${name} was deferred: it needs a result, an approval is none.`, {
      missing: [call.index],
    });
  if ((verdict.verdict === 'answer') !== (verdict.answer !== undefined))
    return refused('bad_request', `${name}: a result goes with the verdict "answer", and only with it.`);
  if (verdict.verdict === 'answer' && call.needs !== 'result')
    return refused('bad_request', `${name} waits for an approval, not for a result.`);
  // Told while deciding, not after: what a tool server cannot take will never fire here.
  const text = sendable(verdict.editedArguments ?? call.arguments);
  if (verdict.verdict === 'approve' && route === 'here' && !text.ok)
    return refused('arguments_not_an_object', `${name}: ${text.reason}`, { index: call.index });
  return accepted(null);
}

/** What stands against approving at all; a whole rejection is always possible (H8, C09). */
function approvable({ loaded }: ClaimFacts, verdicts: readonly string[], repair: boolean): Outcome<TranscriptCheck> {
  const { record } = loaded;
  const transcript = checkTranscript(record.messages, record.pending);
  if (!verdicts.includes('approve')) return accepted(transcript);
  const collide = record.warnings.find((w) => w.code === 'ids_collide');
  if (collide) return refused('ids_collide', collide.text, { path: collide.path });
  const blocking = record.warnings.find((w) => w.blocksApproval);
  if (blocking) return refused('blocked_by_warning', blocking.text, { code: blocking.code, path: blocking.path });
  if (transcript.broken.length > 0)
    return refused('transcript_invalid', `No model would take this conversation: ${transcript.broken.join('; ')}`);
  if (transcript.strays.length > 0 && !repair)
    return refused(
      'transcript_invalid',
      `No model would take this conversation: ${transcript.strays.map(({ text }) => text).join('; ')}. Approving needs your consent to leave ${transcript.strays.length === 1 ? 'that message' : 'those messages'} out.`,
      { strays: transcript.strays },
    );
  if (transcript.unanswered.length > 0 && !repair)
    return refused(
      'transcript_invalid',
      `Calls in the history have no answer: ${transcript.unanswered.map((u) => `${u.id} (message ${u.message})`).join(', ')}. Approving needs your consent to a synthetic answer for each.`,
      { unanswered: transcript.unanswered },
    );
  return accepted(transcript);
}

/** May the right to continue be claimed now, and what would then be done with each call? */
export function mayClaim(facts: ClaimFacts): Outcome<Plan> {
  const { loaded, now } = facts;
  const said = loaded.decision.kind === 'decision' ? loaded.decision.decision : null;
  const open = stillOpen(facts, said?.withdrawn ? undefined : said?.retry);
  if (!open.ok) return open;
  if (loaded.decision.kind === 'closed')
    return refused('expired', `This run expired at ${loaded.decision.closed.at}. Nobody rejected it.`);
  if (loaded.decision.kind === 'none' || loaded.decision.decision.withdrawn)
    return refused('not_decided', 'Nobody has decided this run yet.');
  const { decision, revision } = loaded.decision;
  // First of all: what nobody known has signed says nothing, and is nobody's to hold or to wait for.
  const forged = tampered(facts);
  if (forged) return { ok: false, refusal: forged };
  if ((decision.objections?.length ?? 0) > 0)
    return refused('held', `${decision.objections?.[0]?.by} objects: the run is held until a new decision.`);
  const notBefore = parseTime(decision.notBefore);
  if (!notBefore.ok || now < notBefore.ns)
    return refused('undo_window', `The decision can still be taken back until ${decision.notBefore}.`, {
      notBefore: decision.notBefore,
    });
  // Records beside it may have come in since it was decided (S11-S13).
  const beside = loaded.beside?.decided(decision);
  if (beside && !beside.ok) return beside;
  if (decision.rules)
    for (const call of loaded.record.pending ?? []) {
      if (!decision.verdicts.some(({ index, verdict }) => index === call.index && verdict === 'approve')) continue;
      const own = classForRules(call.name, facts.classOf(call.name));
      if (!own.ok) return own;
    }
  return planFor(facts, decision, revision);
}

/** Who signed this decision, where that is enough: a known reviewer always, two of them for what the rule of two names. */
function signedEnough(facts: ClaimFacts, decision: Decision): Outcome<null> {
  const by = verifyHere(decision, facts.loaded.key, facts.known);
  if (!by.ok) return by;
  const grave = secondFor(facts, decision);
  if (grave.length === 0) return accepted(null);
  const signed = by.value.map(({ name, keyId }) => ({ name, keyId }));
  return refused(
    'second_signature',
    `Destructive: ${grave.join(', ')}. ${signed[0]?.name ?? decision.reviewer.name} has signed; nothing fires before a second reviewer signs it too.`,
    { signed, tools: grave, decisionId: decision.decisionId },
  );
}

/** Why the decision that stands here fires nothing, whoever waits for it; null when it may, or when there is none. */
export function tampered(facts: ClaimFacts): Refusal | null {
  const { decision } = facts.loaded;
  if (decision.kind !== 'decision' || decision.decision.withdrawn) return null;
  const by = verifyHere(decision.decision, facts.loaded.key, facts.known);
  if (!by.ok) return by.refusal;
  if (!facts.loaded.heldBack) return null;
  const text = `${decision.decision.reviewer.name} took this decision back, somebody objected to it, or another one took its place, and it was written again without that: it counts for nothing. Decide again, and find out who can write here.`;
  return refused('taken_back', text, { decisionId: decision.decision.decisionId }).refusal;
}

/**
 * What of this decision waits for a second known reviewer: approved calls of a destructive tool that are still open, and a
 * turn that may run twice. Empty when nothing does, or when two have signed.
 */
export function secondFor({ loaded, known, needsTwo, twoPersons }: ClaimFacts, decision: Decision): string[] {
  const by = verifyHere(decision, loaded.key, known);
  if (!by.ok || by.value.length > 1) return [];
  const approved = openCalls(loaded).filter((call) =>
    decision.verdicts.some((v) => v.index === call.index && v.verdict === 'approve'),
  );
  const names = approved.map((call) => call.name).filter(needsTwo);
  return decision.retry && twoPersons ? [...names, `turn ${decision.retry.turn}`] : names;
}

/** Checks who signed and the binding against what is in the store (I3), and lays out what happens with each call. */
export function planFor(facts: ClaimFacts, decision: Decision, decisionRevision: number): Outcome<Plan> {
  const signed = signedEnough(facts, decision);
  if (!signed.ok) return signed;
  const { loaded, route } = facts;
  const { record, head, bytes } = loaded;
  const digest = recordDigest({ system: record.system, runId: record.runId, resumeStep: record.resumeStep, bytes });
  if (digest !== head.digest) return refused('changed_since_you_looked', 'The stored bytes are not those taken in.');
  if (decision.digest !== digest || decision.resumeStep !== record.resumeStep)
    return refused('changed_since_you_looked', 'The record is not the one that was decided.', { digest });
  const said = decision.verdicts.map((v) => v.verdict);
  const transcript = approvable(
    facts,
    decision.step ? [...said, decision.step.verdict] : said,
    decision.repair !== undefined,
  );
  if (!transcript.ok) return transcript;
  const open = openCalls(loaded);
  const calls: PlannedCall[] = [];
  for (const call of record.pending ?? []) {
    if (!open.includes(call)) {
      calls.push({ call, kind: 'settled' });
      continue;
    }
    const planned = planCall(call, decision, route);
    if (!planned.ok) return planned;
    calls.push(planned.value);
  }
  return accepted({ decision, decisionRevision, calls, transcript: transcript.value });
}

function planCall(call: PendingCall, decision: Decision, route: ClaimFacts['route']): Outcome<PlannedCall> {
  const said = decision.verdicts.filter((v) => v.index === call.index);
  const [verdict] = said;
  if (verdict === undefined || said.length > 1)
    return refused('incomplete_decision', `Call ${call.index + 1} (${call.name}) has no verdict of its own.`);
  if (verdict.argumentsSha256 !== argumentsDigest(call.arguments) || call.argumentsSha256 !== verdict.argumentsSha256)
    return refused('changed_since_you_looked', `The arguments of call ${call.index + 1} are not those that were read.`);
  const fits = fitsCall(call, verdict, route);
  if (!fits.ok) return fits;
  if (verdict.verdict === 'reject') return accepted({ call, kind: 'reject', reason: verdict.reason ?? '' });
  if (verdict.answer !== undefined) return accepted({ call, kind: 'answer', answer: verdict.answer });
  const edited = verdict.editedArguments !== undefined;
  const proposed = verdict.editedArguments ?? call.arguments;
  if (edited && verdict.editedSha256 !== argumentsDigest(proposed))
    return refused('changed_since_you_looked', `The edit of call ${call.index + 1} does not match its digest.`);
  if (route === 'handed_over')
    return accepted({ call, kind: 'dispatch', text: proposed, sha256: argumentsDigest(proposed), edited });
  const text = sendable(proposed);
  if (!text.ok)
    return refused('arguments_not_an_object', `Call ${call.index + 1} (${call.name}): ${text.reason}`, {
      index: call.index,
    });
  return accepted({ call, kind: 'dispatch', text: text.text, sha256: argumentsDigest(proposed), edited });
}

/**
 * The last look before one call is sent, under the claim: the latch in the store is still ours, the journal says that
 * it has not started, and the text is the one that was bound.
 */
export function mayDispatch(
  latch: Latch | null,
  journal: Journal,
  entry: CallEntry,
  planned: PlannedCall,
): Outcome<string> {
  if (latch === null || latch.claim !== journal.claim)
    return refused('already_claimed', 'The claim under which this call would run is not ours any more.');
  if (planned.kind !== 'dispatch' || entry.index !== planned.call.index || entry.name !== planned.call.name)
    return refused('illegal_call_state', `Call ${entry.index + 1} (${entry.name}) was not approved.`);
  if (entry.state !== 'not_started')
    return refused(
      'illegal_call_state',
      `Call ${entry.index + 1} (${entry.name}) is ${entry.state}: it never runs again by itself.`,
    );
  if (entry.argumentsSha256 !== planned.sha256)
    return refused('changed_since_you_looked', `Call ${entry.index + 1} (${entry.name}) is not what was approved.`);
  return accepted(planned.text);
}
