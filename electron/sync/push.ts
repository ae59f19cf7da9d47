import type { Fate } from '../../shared/fate.js';
import type { Refusal } from '../../shared/refusal.js';
import type { OutboxEntry, SyncIo } from './io.js';
import { headKey } from './protocol/keys.js';
import { encode } from './protocol/read.js';
import { idOf, refOf } from './protocol/record.js';

const TRIES = 12;

/** Refusals of an engine that pass by themselves: what met one stays queued, and nothing is lost. */
const PASSING: readonly Refusal['code'][] = ['store_full', 'store_read_only', 'in_doubt'];

/** `again`: no answer, or one that passes. Everything else has a fate by now. */
export type Pushed = 'again' | 'told';

/**
 * Carries one decision to the engine: its record under its own key, then its name into the head, planned anew after each
 * read. May be done again from the start at any time, by the same id. Throws `EngineAway`.
 */
export async function pushOne(io: SyncIo, entry: OutboxEntry): Promise<Pushed> {
  const ref = refOf(entry.record);
  const decisionId = idOf(entry.record);
  if (entry.phase === 'queued') {
    const sent = await putRecord(io, entry);
    if (sent === 'again') return sent;
    if (sent !== 'sent') {
      await tell(io, decisionId, { kind: 'cannot_send', code: sent.code, text: sent.text }, entry.toldBy);
      return 'told';
    }
    await io.files.changeOutbox(decisionId, (now) => ({ ...now, phase: 'sent' }));
  }
  for (let tries = 0; tries < TRIES; tries++) {
    await io.at?.('push.before-read');
    const read = io.plans.readStored(await io.engine.get(headKey(entry.record.id)));
    // Older than what its author looked at, or than what was told already: a copy that lags says nothing.
    if (read.kind !== 'absent' && read.revision < entry.toldBy) return 'again';
    const plan = io.plans.planPush(read, ref, entry.digest, { by: io.me, at: io.now() });
    if (plan.kind === 'fate') {
      await tell(io, decisionId, plan.fate, read.kind === 'absent' ? entry.toldBy : read.revision);
      return 'told';
    }
    await io.at?.('push.before-head');
    const expected = plan.kind === 'seal' ? 0 : plan.expected;
    const put = await io.engine.casPut(headKey(entry.record.id), encode(plan.next), expected);
    await io.at?.('push.after-head');
    if (put.kind === 'ambiguous') return 'again';
    if (put.kind !== 'refused') continue;
    if (PASSING.includes(put.refusal.code)) return 'again';
    await tell(io, decisionId, { kind: 'cannot_send', code: put.refusal.code, text: put.refusal.text }, entry.toldBy);
    return 'told';
  }
  return 'again';
}

/** Raw create; the same bytes found there mean that an earlier attempt had landed. */
async function putRecord(io: SyncIo, { record }: OutboxEntry): Promise<'sent' | 'again' | Refusal> {
  const { key } = refOf(record);
  const bytes = encode(record);
  await io.at?.('push.before-record');
  const put = await io.engine.casPut(key, bytes, 0);
  await io.at?.('push.after-record');
  switch (put.kind) {
    case 'stored':
      return 'sent';
    case 'ambiguous':
      return 'again';
    case 'refused':
      return PASSING.includes(put.refusal.code) ? 'again' : put.refusal;
    case 'conflict': {
      const there = await io.engine.get(key);
      if (there === null) return 'again';
      if (there.value === null || Buffer.compare(there.value, bytes) === 0) return 'sent';
      return { code: 'already_known', text: 'Something else stands under the key of this decision.', facts: { key } };
    }
  }
}

/** Notes what became of a decision, unless a newer read has told already. */
export async function tell(io: SyncIo, decisionId: string, fate: Fate, by: number): Promise<void> {
  await io.files.changeOutbox(decisionId, (entry) =>
    by < entry.toldBy || JSON.stringify(entry.fate) === JSON.stringify(fate) ? null : { ...entry, fate, toldBy: by },
  );
}

/**
 * One round over everything that is to be sent: in order for each run, and no run waits for another. False when something
 * is left for a later round. Throws `EngineAway`.
 */
export async function pushRound(io: SyncIo, isDue: (entry: OutboxEntry) => boolean): Promise<boolean> {
  const held = new Set<string>();
  let through = true;
  for (const entry of await io.files.outbox()) {
    if (!isToSend(entry)) continue;
    const { id } = entry.record;
    if (!held.has(id) && isDue(entry) && (await pushOne(io, entry)) === 'told') continue;
    held.add(id);
    through = false;
  }
  return through;
}

/** True while there is something to send for it. Its record is sent whatever is known already: nobody's decision vanishes. */
function isToSend({ phase, fate }: OutboxEntry): boolean {
  if (fate.kind === 'cannot_send') return false;
  return phase === 'queued' || fate.kind === 'queued' || fate.kind === 'sending' || fate.kind === 'engine_reset';
}
