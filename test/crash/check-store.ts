import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { HEADS } from '../../electron/checkpoints/keys.js';
import { markInterruptedHere } from '../../electron/checkpoints/recovery.js';
import { keyIn, lookAt } from '../../electron/store/audit.js';
import type { Head } from '../../electron/store/contract.js';
import { type Disk, nodeDisk } from '../../electron/store/disk.js';
import { encodeKey, shardOf } from '../../electron/store/names.js';
import type { FileStore } from '../../electron/store/opened-store.js';
import { PLAIN } from './acks.js';
import { openForTrial, RETENTION } from './acts.js';
import { type Took, type Turns, timed } from './alone.js';
import { chainProblems } from './check-chains.js';
import { runProblems } from './check-runs.js';
import { note, type Promised } from './promised.js';
import { bytesOf, idOf } from './value-acts.js';

/** At most this long until a store is open again after a crash, without anything being mended. Milliseconds. */
const RESTART_MS = 1000;

export interface Checked {
  problems: string[];
  /** Until the store was open, its first pages were listed, and what was interrupted was marked. */
  restart: Took;
  /** Files that killed writers left under tmp/. */
  temps: number;
}

/** Opens the store as after a restart, and holds it against everything that its writers were told; with `turns` also against the clock. */
export async function checkStore(
  root: string,
  ledger: string,
  promised: Promised,
  label: string,
  turns: Turns | null = null,
): Promise<Checked> {
  const open = () => timed(() => restart(root));
  const { value: store, wallMs, ownMs } = await (turns === null ? open() : turns.alone(open));
  const problems = promised.contradictions.splice(0);
  if (turns !== null && ownMs >= RESTART_MS)
    problems.push(`a restart took ${Math.round(ownMs)} ms (${Math.round(wallMs)} ms by the clock)`);
  if (store.readOnlyReason !== null) problems.push(`it opened read-only: ${store.readOnlyReason}`);
  for (const one of await store.quarantined()) problems.push(`${one.file} is quarantined: ${one.reason}`);
  problems.push(...chainProblems(root));
  problems.push(...(await valueProblems(store, promised)));
  problems.push(...(await runProblems(store, promised, ledger)));
  problems.push(...(await indexProblems(store, root)));

  // No key is stuck: each one takes its next revision.
  for (const key of promised.values.keys()) {
    const id = `${label} ${key}`;
    note(promised, { t: 'value', key, revision: await store.put(PLAIN, key, bytesOf({ id }), { meta: id }), id });
  }
  const temps = readdirSync(join(root, 'tmp')).length;
  await store.close();
  return { problems, restart: { wallMs, ownMs }, temps };
}

async function restart(root: string): Promise<FileStore> {
  const store = await openForTrial(root);
  await store.keysPage(HEADS, null, 256);
  await store.keysPage(PLAIN, null, 256);
  await markInterruptedHere(store);
  return store;
}

async function valueProblems(store: FileStore, promised: Promised): Promise<string[]> {
  const problems: string[] = [];
  for (const [key, revisions] of promised.values) {
    const name = JSON.stringify(key.slice(0, 20));
    const newest = (await store.head(PLAIN, key))?.revision ?? 0;
    const acked = Math.max(...revisions.keys());
    if (newest < acked) problems.push(`${name} is at revision ${newest}, and ${acked} was acknowledged`);
    for (const [revision, id] of revisions) {
      const entry = await store.getRevision(PLAIN, key, revision);
      const thinned =
        entry === null && (revision <= newest - RETENTION.distance || isBelowTombstone(store.root, key, revision));
      const found = entry === null ? null : idOf(entry.value);
      if (found !== id && !thinned) problems.push(`${name} revision ${revision} holds ${found}, not ${id}`);
    }
  }
  for (const sha256 of promised.payloads) {
    if ((await store.getPayload(sha256)) === null) problems.push(`the payload ${sha256} is gone`);
  }
  return problems;
}

/** Nothing below the tombstone of a removed key has to stay, also when the key came back. */
function isBelowTombstone(root: string, key: string, revision: number): boolean {
  const found = keyIn(lookAt(root), PLAIN, { shard: shardOf(key), enc: encodeKey(key) })?.revisions ?? [];
  const removed = found.some((one) => one.header?.op === 'del' && one.revision > revision);
  return removed && !found.some((one) => one.revision <= revision);
}

/** Listing says the same with the index's snapshot and without it. */
async function indexProblems(warm: FileStore, root: string): Promise<string[]> {
  const withoutSnapshot: Disk = {
    ...nodeDisk,
    openRead: (path) => {
      if (path.startsWith(join(root, 'idx'))) throw Object.assign(new Error('no snapshot'), { code: 'ENOENT' });
      return nodeDisk.openRead(path);
    },
  };
  const cold = await openForTrial(root, withoutSnapshot);
  const problems: string[] = [];
  for (const bucket of [PLAIN, HEADS]) {
    const [a, b] = [await everything(warm, bucket), await everything(cold, bucket)];
    if (a !== b) problems.push(`the listing of ${bucket} is ${a} with the snapshot and ${b} without it`);
  }
  await cold.close();
  return problems;
}

async function everything(store: FileStore, bucket: string): Promise<string> {
  const heads: Head[] = [];
  for (let cursor: string | null = null; ; ) {
    const page = await store.keysPage(bucket, cursor, 64, { tombstones: true });
    heads.push(...page.heads);
    if (page.next === null) break;
    cursor = page.next;
  }
  return heads.map((head) => `${head.key.slice(-12)}@${head.revision}${head.deleted ? ' deleted' : ''}`).join(', ');
}

/** Opens the store as it would be opened a week later: what killed writers left goes by itself. Returns what stays. */
export async function leftoversLater(root: string, open: (now: () => number) => Promise<FileStore>): Promise<string[]> {
  const store = await open(() => Date.now() + 8 * 24 * 3600_000);
  await store.close();
  // What this process is writing itself, such as a snapshot of the index, is none.
  return readdirSync(join(root, 'tmp')).filter((name) => !name.includes(`-${process.pid}.`));
}
