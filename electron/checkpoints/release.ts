import { type Release, type ReleaseCall, WHOLE_UNITS } from '../../shared/approve.js';
import { sendable } from '../../shared/arguments.js';
import type { PendingCall } from '../../shared/checkpoint.js';
import type { SuspensionKey, Verdict } from '../../shared/decision.js';
import type { Proposal } from '../../shared/proposal.js';
import { accepted, type Outcome, refused } from '../../shared/refusal.js';
import { EFFECTS } from '../../shared/tool-table.js';
import type { ListedTool, Ports } from '../ports.js';
import type { KvStore } from '../store/contract.js';
import { argumentsDigest } from './digest.js';
import { checkedEdits } from './edits.js';
import { classOf } from './facts.js';
import { goesOn } from './may-fire.js';
import { type Loaded, load, readPinned } from './records.js';
import { journalOf } from './unknown-calls.js';

type Submission = (Proposal & { act: 'decide' })['submission'];
/** What is about one run; several are read one by one (`bulk.ts`). */
type ProposedOne = Exclude<Proposal, { act: 'decide_many' }>;
type Effective = Pick<PendingCall, 'index' | 'name' | 'arguments'> & {
  proposedSha256: string;
  edited: boolean;
  typesChanged?: string[];
};

/** True when taking this may send a call, or let a run go on: only the approve control may say so. */
export function releases({ verdicts, step }: Pick<Submission, 'verdicts' | 'step'>): boolean {
  return step?.verdict === 'approve' || verdicts.some(({ verdict }) => verdict === 'approve');
}

/**
 * What a proposal would send, read from the store: the approve control shows this and nothing that the page says. Refused
 * when the page names other calls or other arguments than the record holds. Whether it may be sent is not asked here:
 * `decide` and the runner ask `may-fire.ts` when it is confirmed.
 */
export async function releaseOf(
  store: KvStore,
  ports: Ports,
  key: SuspensionKey,
  proposal: ProposedOne,
  listed: readonly ListedTool[],
): Promise<Outcome<Release>> {
  const loaded = await load(store, key);
  if (!loaded.ok) return loaded;
  const { record, head, format, bytes } = loaded.value;
  const effective = effectiveCalls(loaded.value, proposal, await verdictsInForce(store, loaded.value), listed);
  if (!effective.ok) return effective;
  const calls = effective.value.map((call) => callView(call, ports, key.source, listed));
  const retry = proposal.act === 'retry_turn' ? (format.ambiguity?.(bytes)?.retry ?? null) : null;
  if (proposal.act === 'retry_turn' && retry === null)
    return refused('not_waiting', 'No turn of this run is in flight.');
  const gravest = Math.max(0, ...calls.map((call) => EFFECTS.indexOf(call.facts.effect)));
  return accepted({
    id: proposal.act === 'decide' ? proposal.submission.id : proposal.id,
    act: proposal.act === 'decide' && goesOn(record) && calls.length === 0 ? 'go_on' : proposal.act,
    source: key.source,
    system: key.system,
    runId: key.runId,
    step: record.resumeStep,
    route: head.route,
    effect: retry ? 'destructive' : (EFFECTS[gravest] ?? 'destructive'),
    calls,
    others: proposal.act === 'decide' ? othersOf(proposal.submission, record.pending ?? []) : [],
    retry: retry && { turn: retry.turn, warning: retry.warning },
    unread: proposal.act === 'decide' ? proposal.unread.filter(({ fields }) => fields.length > 0) : [],
  });
}

/** Under a latch those of the decision that it pinned, also when that was taken back too late: a resume goes by it, too. */
async function verdictsInForce(store: KvStore, { key, head, decision }: Loaded): Promise<readonly Verdict[]> {
  const { decisionRevision = null, decisionSha256 = null } = head.latch ?? {};
  if (decisionRevision !== null) {
    const pinned = await readPinned(store, key, decisionRevision, decisionSha256);
    return pinned.kind === 'decision' ? pinned.decision.verdicts : [];
  }
  return decision.kind === 'decision' && !decision.decision.withdrawn ? decision.decision.verdicts : [];
}

function effectiveCalls(
  loaded: Loaded,
  proposal: ProposedOne,
  verdicts: readonly Verdict[],
  listed: readonly ListedTool[],
): Outcome<Effective[]> {
  switch (proposal.act) {
    case 'decide':
      return proposed(loaded, proposal.submission, listed);
    case 'retry_turn':
      return accepted([]);
    case 'continue':
      return accepted(decided(loaded, verdicts, ['not_started']));
    case 'redispatch':
      // Under a latch it goes on at once: what was not started yet is sent with it. Else a decision is asked for first.
      return accepted([
        ...decided(
          loaded,
          verdicts,
          loaded.head.latch ? ['unknown', 'started', 'not_started'] : ['unknown', 'started'],
        ),
        ...ofLoop(loaded),
      ]);
  }
}

/** The calls that the page would have approved, by position, with the digest that it says is on screen (I3, C07). */
function proposed({ record }: Loaded, submission: Submission, listed: readonly ListedTool[]): Outcome<Effective[]> {
  if (!releases(submission)) return refused('bad_request', 'Nothing here releases a call: submit it as it is.');
  const edits = checkedEdits(submission.verdicts, record.pending ?? [], listed);
  const calls: Effective[] = [];
  for (const verdict of submission.verdicts) {
    const call = record.pending?.find(({ index }) => index === verdict.index);
    const digest = call && argumentsDigest(call.arguments);
    if (call === undefined || digest !== verdict.argumentsSha256)
      return refused(
        'changed_since_you_looked',
        `Call ${verdict.index + 1} is not the one on screen: what is shown and what is stored differ.`,
        { shown: verdict.argumentsSha256, stored: digest ?? null },
      );
    if (verdict.verdict !== 'approve') continue;
    const { index, name } = call;
    const { editedArguments, typesChanged } = verdict;
    calls.push({
      index,
      name,
      arguments: editedArguments ?? call.arguments,
      proposedSha256: digest,
      edited: editedArguments !== undefined,
      ...(typesChanged && { typesChanged }),
    });
  }
  return edits.ok ? accepted(calls) : edits;
}

/** Calls that were approved before and stand in one of these states now: a decision that is let go on sends them. */
function decided(loaded: Loaded, verdicts: readonly Verdict[], states: readonly string[]): Effective[] {
  const { record } = loaded;
  const calls = journalOf(loaded)?.calls;
  return (record.pending ?? []).flatMap((call): Effective[] => {
    const state = calls?.find(({ index }) => index === call.index)?.state ?? 'not_started';
    const verdict = verdicts.find(({ index }) => index === call.index);
    // A record that came in claimed has no decision: its unknown calls are in its journal all the same.
    const unsettled = state === 'unknown' || state === 'started';
    if (!states.includes(state) || (verdict ? verdict.verdict !== 'approve' : !unsettled)) return [];
    return [
      {
        index: call.index,
        name: call.name,
        arguments: verdict?.editedArguments ?? call.arguments,
        proposedSha256: call.argumentsSha256,
        edited: verdict?.editedArguments !== undefined,
        ...(verdict?.typesChanged && { typesChanged: verdict.typesChanged }),
      },
    ];
  });
}

/** The loop's own calls whose outcome is unknown; they count on after the batch. */
function ofLoop(loaded: Loaded): Effective[] {
  const { calls, loop } = journalOf(loaded) ?? { calls: [], loop: [] };
  const batch = calls.length;
  return loop.flatMap((entry, i) => {
    if (entry.state !== 'unknown' && entry.state !== 'started') return [];
    const { name, arguments: text, argumentsSha256, edited } = entry;
    return [{ index: batch + i, name, arguments: text, proposedSha256: argumentsSha256, edited }];
  });
}

function callView(call: Effective, ports: Ports, source: string, listed: readonly ListedTool[]): ReleaseCall {
  const tool = listed.find(({ name }) => name === call.name);
  const { index, name, proposedSha256, edited, typesChanged, arguments: text } = call;
  return {
    index,
    name,
    facts: classOf(ports.settings(), source, name, tool),
    server: tool?.server ?? null,
    sentAs: sendable(text).as,
    proposedSha256,
    effectiveSha256: argumentsDigest(text),
    edited,
    ...(typesChanged && { typesChanged }),
    text: text.length > WHOLE_UNITS ? text.slice(0, 2000) : text,
    length: text.length,
  };
}

function othersOf({ verdicts }: Submission, pending: readonly PendingCall[]): Release['others'] {
  return verdicts.flatMap(({ index, verdict }) =>
    verdict === 'approve' ? [] : [{ index, verdict, name: pending.find((call) => call.index === index)?.name ?? '' }],
  );
}
