import type { Stored } from './engine.js';
import type { SyncIo } from './io.js';
import { isFinal } from './protocol/fates.js';
import { headKey, readKey } from './protocol/keys.js';
import type { Read } from './protocol/read.js';
import { idOf, refOf } from './protocol/record.js';
import { tell } from './push.js';

/** Takes one stored message or read in: the fates that follow first, then what is known. True when it was news. */
export async function takeStored(io: SyncIo, stored: Stored): Promise<boolean> {
  const key = readKey(stored.key);
  return key.kind === 'head' ? takeRead(io, key.id, io.plans.readStored(stored)) : false;
}

async function takeRead(io: SyncIo, id: string, read: Read): Promise<boolean> {
  const before = await io.files.known(id);
  const plan = io.plans.planPull(before, read);
  if (plan.kind === 'ignore' || read.kind === 'absent') return false;
  await io.at?.('pull.before-apply');
  await io.apply(id, plan.known);
  await io.at?.('pull.after-apply');
  // Before it is known: what is known is not read again, and a crash in between would leave the fates as they were.
  await tellFates(io, id, read);
  await io.at?.('pull.after-fates');
  // Planned again over what is known when it is written: another read may have been taken in meanwhile.
  await io.files.changeKnown(id, (now) => {
    const again = io.plans.planPull(now, read);
    return again.kind === 'ignore' ? null : again.known;
  });
  await io.at?.('pull.after-known');
  return true;
}

/** Every decision of ours on this run is told anew; one that is not in its head goes back to be sent. */
async function tellFates(io: SyncIo, id: string, read: Exclude<Read, { kind: 'absent' }>): Promise<void> {
  for (const entry of await io.files.outbox()) {
    if (entry.record.id !== id || isFinal(entry.fate)) continue;
    const fate = io.plans.fateOf(refOf(entry.record), entry.digest, read);
    await tell(io, idOf(entry.record), fate ?? { kind: 'queued' }, read.revision);
  }
}

/**
 * Compares all keys with what is known: reads what is newer, and proves what is missing by making a tombstone, never by
 * a listing that lacks it. Throws `EngineAway`.
 */
export async function reconcileKeys(io: SyncIo): Promise<void> {
  const known = await io.files.allKnown();
  const listed = new Map<string, number>();
  for await (const { key, revision } of io.engine.keys()) {
    const read = readKey(key);
    if (read.kind === 'head') listed.set(read.id, revision);
  }
  const { read, missing } = io.plans.planReconcile(known, listed);
  for (const id of [...read, ...missing]) {
    await io.at?.('reconcile.before-read');
    const stored = await io.engine.get(headKey(id));
    if (stored !== null) await takeStored(io, stored);
    else await io.engine.casPut(headKey(id), sealOf(io), 0);
  }
}

function sealOf(io: SyncIo): Uint8Array {
  return new TextEncoder().encode(JSON.stringify({ v: 1, sealed: true, by: io.me, at: io.now() }));
}

/** Reads from the cursor on until the signal; the cursor is saved after the data it stands for. Throws `EngineAway`. */
export async function pullFrom(io: SyncIo, signal: AbortSignal): Promise<void> {
  const cursor = await io.files.cursor();
  if (cursor === null) throw new Error('a pull begins with a cursor');
  let { revision } = cursor;
  for await (const stored of io.engine.watch(revision, signal)) {
    await takeStored(io, stored);
    if (stored.revision <= revision) continue;
    revision = stored.revision;
    await io.files.saveCursor({ ...cursor, revision });
  }
}
