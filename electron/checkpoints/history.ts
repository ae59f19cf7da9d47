import type { Decision, SuspensionKey } from '../../shared/decision.js';
import type { HistoryEvent } from '../../shared/history-event.js';
import type { Journal } from '../../shared/journal.js';
import { compareTimes, formatNs } from '../../shared/time.js';
import type { KvStore, Head as StoredHead } from '../store/contract.js';
import { allEvidence, type Evidence } from './evidence.js';
import { type Head, readHeadMeta } from './head.js';
import { DECISIONS, HEADS, JOURNALS, parseSuspension, suspensionText } from './keys.js';
import { ruleNames } from './meta.js';
import { readDecision, readHead, readJournal } from './records.js';

/** What happened to one suspension, told from its records: nothing is logged twice, so nothing can disagree. */
export function eventsOf(
  key: SuspensionKey,
  head: Head | null,
  decision: Decision | null,
  journal: Journal | null,
): HistoryEvent[] {
  const event = (
    at: string,
    kind: string,
    by: string | null,
    text: string,
    facts: Record<string, unknown> = {},
    call: number | null = null,
  ): HistoryEvent => ({
    at,
    kind,
    by,
    suspension: key,
    call,
    text,
    facts,
  });
  const events: HistoryEvent[] = [];
  if (head) {
    const taken = formatNs(BigInt(head.takenInAtNs));
    events.push(
      event(taken, 'taken_in', null, `Taken in (${head.via}${head.name ? `: ${head.name}` : ''}).`, {
        digest: head.digest,
      }),
    );
    if (head.withdrawn)
      events.push(event(head.withdrawn.at, 'withdrawn', null, `Withdrawn by the agent (${head.withdrawn.by}).`));
    if (head.latch)
      events.push(
        event(
          head.latch.at,
          'claimed',
          null,
          `Claimed by ${head.latch.by.name} (process ${head.latch.by.pid} on ${head.latch.by.host}).`,
          {
            kind: head.latch.kind,
            decisionId: head.latch.decisionId,
            reopened: head.latch.reopened,
          },
        ),
      );
  }
  if (decision) {
    events.push(
      event(decision.decidedAt, 'decided', decision.reviewer.name, inWords(decision), {
        digest: decision.digest,
        revision: decision.revision,
        decisionId: decision.decisionId,
        verdicts: decision.verdicts,
        tools: head?.tools ?? [],
        step: decision.step ?? null,
        ...(decision.rules ? { rules: decision.rules } : {}),
        ...(decision.retry ? { retry: decision.retry } : {}),
      }),
    );
    if (decision.withdrawn)
      events.push(
        event(decision.withdrawn.at, 'decision_withdrawn', decision.withdrawn.by, 'The decision was taken back.'),
      );
    for (const o of decision.objections ?? []) events.push(event(o.at, 'objected', o.by, o.text));
  }
  const calls = journal ? [...journal.calls, ...journal.loop] : [];
  for (const [i, call] of calls.entries()) {
    const facts = {
      tool: call.name,
      argumentsSha256: call.argumentsSha256,
      edited: call.edited,
      cause: call.cause ?? null,
    };
    if (call.startedAt) events.push(event(call.startedAt, 'started', null, `${call.name} was started.`, facts, i));
    if (call.endedAt && call.state !== 'started')
      events.push(event(call.endedAt, call.state, null, `${call.name}: ${call.result ?? ''}`.slice(0, 2000), facts, i));
    for (const r of call.reconciled)
      events.push(
        event(
          r.at,
          'reconciled',
          r.by,
          `${call.name}: ${SETTLED[r.how]}${r.note ? ` — ${r.note}` : ''}`,
          { how: r.how, tool: call.name },
          i,
        ),
      );
  }
  const end = journal?.continuation;
  if (end && 'at' in end)
    events.push(
      event(
        end.at,
        end.state,
        'by' in end ? end.by : null,
        'answer' in end ? end.answer : 'text' in end ? end.text : `Suspended again at step ${end.step}.`,
      ),
    );
  return inOrder(events);
}

const SETTLED = {
  it_ran: 'a person says that it ran',
  it_did_not: 'a person says that it did not run',
  give_up: 'given up by a person',
  dispatch_again: 'a person lets this repeatable call run again',
};

export function inWords(decision: Decision): string {
  const rules = decision.rules ? [`by the rule “${ruleNames(decision.rules)}”, no person looked`] : [];
  const said = decision.verdicts.map((v) => {
    const edited = v.editedArguments === undefined ? '' : ' with edited arguments';
    if (v.answer) return `call ${v.index + 1}: result given (${v.answer.status})`;
    return `call ${v.index + 1}: ${v.verdict === 'approve' ? `approved${edited}` : `rejected (${v.reason || 'no reason given'})`}`;
  });
  if (decision.step)
    said.push(
      `step ${decision.step.verdict === 'approve' ? 'approved, it goes on' : `rejected (${decision.step.reason || 'no reason given'})`}`,
    );
  if (decision.retry)
    said.push(`turn ${decision.retry.turn} may run again, after the warning: ${decision.retry.warning}`);
  const { unanswered = [], leftOut = [] } = decision.repair ?? {};
  const calls = unanswered.length === 1 ? 'call without an answer gets' : 'calls without an answer get';
  if (unanswered.length > 0) said.push(`${unanswered.length} earlier ${calls} a synthetic one`);
  const answers = leftOut.length === 1 ? 'answer to nothing is' : 'answers to nothing are';
  if (leftOut.length > 0) said.push(`${leftOut.length} ${answers} left out`);
  return [...rules, ...said].join('; ');
}

const inOrder = (events: HistoryEvent[]): HistoryEvent[] => events.sort((a, b) => compareTimes(a.at, b.at));

const closedEvent = (key: SuspensionKey, at: string): HistoryEvent => ({
  at,
  kind: 'expired',
  by: null,
  suspension: key,
  call: null,
  text: 'Expired: nobody decided in time.',
  facts: {},
});

/** What the records of one suspension tell; `kept` is the evidence of it. */
async function eventsIn(store: KvStore, key: SuspensionKey, kept: readonly HistoryEvent[]): Promise<HistoryEvent[]> {
  const [head, decision, journal] = await Promise.all([
    readHead(store, key),
    readDecision(store, key),
    readJournal(store, key),
  ]);
  const pinned = decision.kind === 'decision' ? decision.decision : null;
  const closed = decision.kind === 'closed' ? [closedEvent(key, decision.closed.at)] : [];
  return inOrder([...eventsOf(key, head?.head ?? null, pinned, journal?.journal ?? null), ...kept, ...closed]);
}

const asEvent = ({ v, ...event }: Evidence): HistoryEvent => event;

/** The history of one suspension, with what came second or too late. */
export async function historyOf(store: KvStore, key: SuspensionKey): Promise<HistoryEvent[]> {
  const name = suspensionText(key);
  const kept = (await allEvidence(store)).filter((one) => one.suspension && suspensionText(one.suspension) === name);
  return eventsIn(store, key, kept.map(asEvent));
}

/**
 * Everything that happened in this store, suspension by suspension and each in order, at most `limit` suspensions deep;
 * what belongs to none of them comes last. Only the names and the evidence are held at once.
 */
export async function* eachHistory(store: KvStore, limit = Number.POSITIVE_INFINITY): AsyncGenerator<HistoryEvent[]> {
  const evidence = new Map<string, HistoryEvent[]>();
  for (const one of await allEvidence(store)) {
    const name = one.suspension === null ? '' : suspensionText(one.suspension);
    evidence.set(name, [...(evidence.get(name) ?? []), asEvent(one)]);
  }
  const names = new Map<string, HistoryEvent[]>();
  for (const bucket of [DECISIONS, JOURNALS, HEADS]) {
    for (let cursor: string | null = null; names.size < limit; ) {
      const page = await store.keysPage(bucket, cursor, PAGE, { tombstones: true });
      for (const head of page.heads) names.set(head.key, [...(names.get(head.key) ?? []), ...reaped(bucket, head)]);
      if (page.next === null) break;
      cursor = page.next;
    }
  }
  for (const [name, gone] of names) {
    const key = parseSuspension(name);
    if (key === null) continue;
    const kept = evidence.get(name) ?? [];
    evidence.delete(name);
    try {
      yield inOrder([...(await eventsIn(store, key, kept)), ...gone]);
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      yield [...kept, ...gone, { at: '', kind: 'unreadable', by: null, suspension: key, call: null, text, facts: {} }];
    }
  }
  yield* evidence.values();
}

const PAGE = 256;

function reaped(bucket: string, { key: name, deleted, meta }: StoredHead): HistoryEvent[] {
  const key = parseSuspension(name);
  const last = bucket === HEADS && deleted ? readHeadMeta(meta) : null;
  const end = last?.end;
  if (!last || end === undefined || key === null) return [];
  const text = `Removed by the GC (${end.status}).`;
  return [
    {
      at: end.at,
      kind: 'reaped',
      by: null,
      suspension: key,
      call: null,
      text,
      facts: { status: end.status, tools: last.to },
    },
  ];
}

/** Everything that happened in this store, newest first, at most `limit` suspensions deep. */
export async function wholeHistory(store: KvStore, limit: number): Promise<HistoryEvent[]> {
  const events: HistoryEvent[] = [];
  for await (const some of eachHistory(store, limit)) events.push(...some);
  return inOrder(events).reverse();
}
