import type { SuspensionKey, Verdict } from '../../shared/decision.js';
import type { CallEntry, Continuation, Journal, LoopEntry } from '../../shared/journal.js';
import { CALL_TRANSITIONS, type CallState } from '../../shared/states.js';
import { formatNs } from '../../shared/time.js';
import { rejectionText, usableIds } from '../../shared/transcript.js';
import type { Clock } from '../ports.js';
import type { KvStore } from '../store/contract.js';
import { argumentsDigest } from './digest.js';
import type { Plan } from './may-fire.js';
import { type JournalAt, type Loaded, readJournal, writeJournal } from './records.js';
import { wholeResult } from './results.js';

/** A move of a call that the table of shared/states.ts does not know: a fault of ours, never written. */
export class IllegalCallMove extends Error {
  override readonly name = 'IllegalCallMove';
}

/** The journal of one claim, kept at the revision that this process wrote last. */
export class OpenJournal {
  readonly #store: KvStore;
  #journal: Journal;
  #revision: number;

  constructor(store: KvStore, at: JournalAt) {
    this.#store = store;
    this.#journal = at.journal;
    this.#revision = at.revision;
  }

  get journal(): Journal {
    return this.#journal;
  }

  /** The whole answer of one of its calls. */
  answer(entry: CallEntry | undefined): Promise<string> {
    return wholeResult(this.#store, entry);
  }

  /** Moves one call and makes it durable before it returns. Throws CasConflict when somebody else wrote. */
  async move(index: number, to: CallState, change: Partial<CallEntry> = {}): Promise<void> {
    const calls = this.#journal.calls.map((call) => (call.index === index ? moved(call, to, change) : call));
    await this.#write({ ...this.#journal, calls });
  }

  /** Adds a call that the loop runs by itself. */
  async addLoop(entry: LoopEntry): Promise<number> {
    await this.#write({ ...this.#journal, loop: [...this.#journal.loop, entry] });
    return this.#journal.loop.length - 1;
  }

  async moveLoop(at: number, to: CallState, change: Partial<LoopEntry> = {}): Promise<void> {
    const loop = this.#journal.loop.map((call, i) => (i === at ? moved(call, to, change) : call));
    await this.#write({ ...this.#journal, loop });
  }

  async continue(continuation: Continuation): Promise<void> {
    await this.#write({ ...this.#journal, continuation });
  }

  async underClaim(claim: string): Promise<void> {
    await this.#write({ ...this.#journal, claim, continuation: { state: 'pending' } });
  }

  async #write(next: Journal): Promise<void> {
    const written = await writeJournal(this.#store, next, this.#revision);
    this.#revision = written.revision;
    this.#journal = written.journal;
  }
}

/** One call moved along the legal table, or a fault. */
export function moved<T extends CallEntry>(call: T, to: CallState, change: Partial<T>): T {
  if (!CALL_TRANSITIONS[call.state].includes(to))
    throw new IllegalCallMove(`call ${call.index + 1} (${call.name}) cannot go from ${call.state} to ${to}`);
  if (change.result === undefined) return { ...call, ...change, state: to };
  // Where the answer before it lies says nothing about this one.
  const { resultAt: _, ...rest } = call;
  return { ...(rest as T), ...change, state: to };
}

/** Opens the journal under a claim: every approved call not started, every rejected one settled with its answer. */
export async function openJournal(
  store: KvStore,
  clock: Clock,
  loaded: Loaded,
  plan: Plan,
  claim: string,
): Promise<OpenJournal> {
  const existing = await readJournal(store, loaded.key);
  if (existing) {
    const open = new OpenJournal(store, existing);
    await open.underClaim(claim);
    await settleRejected(open, clock, plan);
    return open;
  }
  const ids = usableIds(loaded.record.runId, loaded.record.pending ?? []);
  const journal: Journal = {
    v: 1,
    suspension: loaded.key,
    decisionId: plan.decision?.decisionId ?? null,
    claim,
    calls: plan.calls.map((planned) => ({
      ...firstEntry(planned, ids[planned.call.index] ?? '', clock),
      ...effectKeyOf(loaded, loaded.record.resumeStep, planned.call.index),
    })),
    loop: [],
    continuation: { state: 'pending' },
  };
  return new OpenJournal(store, await writeJournal(store, journal, null));
}

/** The system's own key of a call, for the journal and for whoever dispatches it (R9). */
export function effectKeyOf({ format, bytes }: Loaded, turn: number, call: number): Pick<CallEntry, 'effectKey'> {
  const key = format.effectKey?.(bytes, { turn, call }) ?? null;
  return key === null ? {} : { effectKey: key };
}

function firstEntry(planned: Plan['calls'][number], id: string, clock: Clock): CallEntry {
  const { call } = planned;
  const base = {
    index: call.index,
    name: call.name,
    id,
    argumentsSha256: call.argumentsSha256,
    edited: false,
    reconciled: [],
  };
  if (planned.kind === 'settled') return { ...base, state: 'answered' };
  if (planned.kind === 'dispatch')
    return { ...base, state: 'not_started', argumentsSha256: planned.sha256, edited: planned.edited };
  if (planned.kind === 'answer') return { ...base, ...givenAnswer(planned.answer, clock), state: 'answered' };
  return { ...base, ...rejectedAnswer(planned.reason, clock), state: 'rejected' };
}

/** The result that the reviewer gave for a call that is made elsewhere, as the model reads it. */
const givenAnswer = ({ status, text }: NonNullable<Verdict['answer']>, clock: Clock) => ({
  result: text,
  cause: `${status}_elsewhere`,
  endedAt: formatNs(clock.now()),
});

const rejectedAnswer = (reason: string, clock: Clock) => ({
  result: rejectionText(reason),
  cause: 'rejected_by_person',
  endedAt: formatNs(clock.now()),
});

/** After a reconciliation some calls were decided anew: the rejected ones among them are settled here. */
async function settleRejected(open: OpenJournal, clock: Clock, plan: Plan): Promise<void> {
  for (const planned of plan.calls) {
    const entry = open.journal.calls.find((call) => call.index === planned.call.index);
    if (planned.kind === 'reject' && entry?.state === 'not_started')
      await open.move(entry.index, 'rejected', rejectedAnswer(planned.reason, clock));
    if (planned.kind === 'answer' && entry?.state === 'not_started')
      await open.move(entry.index, 'answered', givenAnswer(planned.answer, clock));
  }
}

/** The journal that a person writes for a record that came in latched: every call unknown (H4). */
export function unknownJournal(loaded: Loaded): Journal {
  const ids = usableIds(loaded.record.runId, loaded.record.pending ?? []);
  return {
    v: 1,
    suspension: loaded.key,
    decisionId: null,
    claim: 'upstream',
    calls: (loaded.record.pending ?? []).map((call) => ({
      index: call.index,
      name: call.name,
      id: ids[call.index] ?? '',
      state: 'unknown',
      cause: 'latched_before_intake',
      argumentsSha256: argumentsDigest(call.arguments),
      edited: false,
      reconciled: [],
    })),
    loop: [],
    continuation: { state: 'pending' },
  };
}

/** Marks calls that were started by a process that is gone (I8). Returns how many. */
export async function markInterrupted(store: KvStore, key: SuspensionKey, cause: string): Promise<number> {
  const at = await readJournal(store, key);
  if (at === null) return 0;
  let found = 0;
  const interrupt = <T extends CallEntry>(call: T): T => {
    if (call.state !== 'started') return call;
    found++;
    return { ...call, state: 'unknown', cause };
  };
  const journal = { ...at.journal, calls: at.journal.calls.map(interrupt), loop: at.journal.loop.map(interrupt) };
  if (found > 0) await writeJournal(store, journal, at.revision);
  return found;
}
