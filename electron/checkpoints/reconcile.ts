import type { SuspensionKey } from '../../shared/decision.js';
import type { CallEntry, Journal, LoopEntry, Reconciliation } from '../../shared/journal.js';
import { accepted, type Outcome, refused } from '../../shared/refusal.js';
import { formatNs } from '../../shared/time.js';
import type { Ports } from '../ports.js';
import { CasConflict, type KvStore } from '../store/contract.js';
import { told } from './dispatch.js';
import { repeatableBy } from './facts.js';
import { moved } from './journal.js';
import { load, writeJournal } from './records.js';
import { UNREPORTED_AFTER_MS } from './status.js';
import { journalAtOf } from './unknown-calls.js';

export type Settlement =
  | { how: 'it_ran'; result: string; note?: string | undefined }
  | { how: 'it_did_not'; note?: string | undefined }
  | { how: 'give_up'; note?: string | undefined };

type Entry = CallEntry | LoopEntry;

/**
 * A person settles one call whose outcome is unknown (I8): it ran, with its result; it did not, and may be dispatched
 * again by an explicit act; or give the run up. `index` counts the batch first, then the loop's own calls.
 */
export async function reconcile(
  store: KvStore,
  ports: Ports,
  key: SuspensionKey,
  index: number,
  settlement: Settlement,
  by: string,
): Promise<Outcome<null>> {
  return changeUnknown(store, key, (journal, entries) => {
    const entry = entries[index];
    if (entry === undefined) return refused('bad_request', `There is no call ${index + 1} in this run.`);
    if (!isUnknown(entry, ports))
      return refused(
        'illegal_call_state',
        `Call ${index + 1} (${entry.name}) is ${entry.state.replace('_', ' ')}, not unknown.`,
      );
    const at = formatNs(ports.clock.now());
    const record: Reconciliation = {
      how: settlement.how,
      by,
      at,
      ...(settlement.note ? { note: settlement.note } : {}),
    };
    const next = entries.map((e, i) => (i === index ? settled(e, settlement, record) : e));
    if (settlement.how !== 'give_up') return accepted(rejoined(journal, next));
    const text = settlement.note || 'Given up: nobody could say whether the call ran.';
    return accepted({ ...rejoined(journal, next), continuation: { state: 'closed', by, text, at } });
  });
}

/** Dispatches unknown calls again, by an explicit act, only when the reviewer's own table says all are repeatable (K13). */
export async function dispatchAgain(
  store: KvStore,
  ports: Ports,
  key: SuspensionKey,
  by: string,
): Promise<Outcome<null>> {
  return changeUnknown(store, key, (journal, entries) => {
    const isRepeatable = repeatableBy(ports.settings(), key.source);
    const unknown = entries.filter((entry) => isUnknown(entry, ports));
    const not = unknown.filter((entry) => !isRepeatable(entry.name)).map((entry) => entry.name);
    if (unknown.length === 0) return refused('illegal_call_state', 'No call of this run is unknown.');
    if (not.length > 0)
      return refused(
        'ResumeReplayBlocked',
        `Not repeatable by your tool table: ${not.join(', ')}. Settle each call by reconciliation.`,
        {
          run_id: key.runId,
          tools: not,
        },
      );
    const at = formatNs(ports.clock.now());
    const next = entries.map((entry) =>
      isUnknown(entry, ports) ? settled(entry, { how: 'it_did_not' }, { how: 'dispatch_again', by, at }) : entry,
    );
    return accepted(rejoined(journal, next));
  });
}

/** Closes a claimed run that nobody continues: nothing more will happen, and no call of it is in doubt. */
export async function closeRun(store: KvStore, ports: Ports, key: SuspensionKey, by: string): Promise<Outcome<null>> {
  return changeUnknown(store, key, (journal, entries) => {
    const doubtful = entries.filter((entry) => entry.state === 'unknown' || entry.state === 'started');
    if (doubtful.length > 0)
      return refused('unknown_outcome', `Settle first what came of ${doubtful.map((entry) => entry.name).join(', ')}.`);
    if (['completed', 'suspended_again', 'failed', 'closed'].includes(journal.continuation.state))
      return refused('nothing_to_continue', 'This run is over already.');
    const at = formatNs(ports.clock.now());
    return accepted({ ...journal, continuation: { state: 'closed', by, text: 'Closed by a person.', at } });
  });
}

/** Unknown, or started by an agent that never came back to report (H13). */
function isUnknown(entry: Entry, ports: Ports): boolean {
  if (entry.state === 'unknown') return true;
  const nowMs = Number(ports.clock.now() / 1_000_000n);
  return entry.state === 'started' && nowMs - Date.parse(entry.startedAt ?? '') > UNREPORTED_AFTER_MS;
}

function settled<T extends Entry>(entry: T, settlement: Settlement, record: Reconciliation): T {
  const unknown = entry.state === 'started' ? moved<Entry>(entry, 'unknown', {}) : entry;
  const reconciled = [...entry.reconciled, record];
  switch (settlement.how) {
    case 'it_ran':
      return moved<Entry>(unknown, 'done', {
        reconciled,
        endedAt: record.at,
        result: told(settlement.result, entry.edited),
      }) as T;
    case 'it_did_not': {
      const { startedAt, endedAt, result, resultAt, cause, ...rest } = moved<Entry>(unknown, 'not_started', {
        reconciled,
      });
      return rest as T;
    }
    case 'give_up':
      return moved<Entry>(unknown, 'failed', {
        reconciled,
        cause: 'given_up',
        endedAt: record.at,
        result: 'Given up by a person: nobody could say whether this call ran.',
      }) as T;
  }
}

function rejoined(journal: Journal, entries: readonly Entry[]): Journal {
  return {
    ...journal,
    calls: entries.slice(0, journal.calls.length),
    loop: entries.slice(journal.calls.length).filter((entry): entry is LoopEntry => 'step' in entry),
  };
}

async function changeUnknown(
  store: KvStore,
  key: SuspensionKey,
  change: (journal: Journal, entries: readonly Entry[]) => Outcome<Journal>,
): Promise<Outcome<null>> {
  for (;;) {
    const loaded = await load(store, key);
    if (!loaded.ok) return loaded;
    const at = journalAtOf(loaded.value);
    if (at === null) return refused('illegal_call_state', 'No call of this run has started.');
    const next = change(at.journal, [...at.journal.calls, ...at.journal.loop]);
    if (!next.ok) return next;
    try {
      await writeJournal(store, next.value, at.revision);
      return accepted(null);
    } catch (error) {
      if (!(error instanceof CasConflict)) throw error;
    }
  }
}
