import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DECISIONS, HEADS } from '../../electron/checkpoints/keys.js';
import type { Disk } from '../../electron/store/disk.js';
import { nodeDisk } from '../../electron/store/disk.js';
import { openStore } from '../../electron/store/file-store.js';
import { sha256Hex } from '../../electron/store/header.js';
import { MemoryStore } from '../../electron/store/memory-store.js';
import { SHARDS } from '../../electron/store/names.js';
import type { FileStore } from '../../electron/store/opened-store.js';
import { type FilledRecord, fillBucket } from '../helpers/store-filled.js';
import { benchPorts, recordBytes, runId, takeInRun } from './runs.js';

export const KB = 1024;
export const MB = 1024 * KB;

export interface Counts {
  syncs: number;
  payloadOpens: number;
}

/** A disk that counts what it is asked for. */
export function countingDisk(): { disk: Disk; counts: Counts } {
  const counts: Counts = { syncs: 0, payloadOpens: 0 };
  const disk: Disk = {
    ...nodeDisk,
    fsync: (fd) => {
      counts.syncs += 1;
      nodeDisk.fsync(fd);
    },
    openRead: (path) => {
      if (/[/\\]p[/\\][0-9a-f]{2}[/\\]/.test(path)) counts.payloadOpens += 1;
      return nodeDisk.openRead(path);
    },
  };
  return { disk, counts };
}

export const open = (root: string, disk: Disk = nodeDisk): Promise<FileStore> =>
  openStore(root, { keepAll: [DECISIONS], disk });

/** Waits until all shards of a bucket, and of the payloads, are made: no write has a third sync to do from then on. */
export async function inUse(store: FileStore, buckets: readonly string[]): Promise<void> {
  for (const bucket of buckets)
    for (let n = 0; n < 40; n += 1) await store.put(bucket, `filling ${n}`, new Uint8Array(10));
  for (const bucket of buckets) for (let n = 0; n < 40; n += 1) await store.delete(bucket, `filling ${n}`);
  for (let n = 0; n < 40; n += 1) await store.putPayload(new Uint8Array(10).fill(n));
  await new Promise((resolve) => setTimeout(resolve, 2000));
}

/**
 * A store of this many suspended runs, written as files: of 100, 90 of 2 KB and 9 of 12 KB stand in their heads, one of
 * 200 KB lies beside it; three have 20 MB. Returns the seconds it took.
 */
export async function filledStore(root: string, count: number): Promise<number> {
  const start = performance.now();
  const samples = await Promise.all([2 * KB, 12 * KB, 200 * KB, 20 * MB].map(sampleHead));
  for (const shard of SHARDS) mkdirSync(join(root, 'p', shard), { recursive: true, mode: 0o700 });
  function* records(): Generator<FilledRecord> {
    for (let n = 0; n < count; n += 1) {
      const kind = n < 3 && count >= 10_000 ? 3 : n % 100 === 99 ? 2 : n % 11 === 10 ? 1 : 0;
      const sample = samples[kind];
      if (sample === undefined) throw new Error('four kinds');
      const id = runId(n + 1_000_000);
      if (kind >= 2) payload(root, recordBytes(n + 1_000_000, kind === 2 ? 200 * KB : 20 * MB));
      yield {
        key: sample.key.replaceAll(sample.id, id),
        value: Buffer.from(sample.value.replaceAll(sample.id, id), 'utf8'),
        meta: sample.meta.replaceAll(sample.id, id),
      };
    }
  }
  await fillBucket(root, HEADS, records());
  return (performance.now() - start) / 1000;
}

function payload(root: string, bytes: Uint8Array): void {
  const sha256 = sha256Hex(bytes);
  writeFileSync(join(root, 'p', sha256.slice(0, 2), sha256), bytes, { mode: 0o600 });
}

/** A head as the intake writes it, to be written again under other run ids. */
async function sampleHead(size: number): Promise<{ id: string; key: string; value: string; meta: string }> {
  const store = new MemoryStore();
  await takeInRun(store, benchPorts(), recordBytes(7, size));
  const [head] = (await store.keysPage(HEADS, null, 1)).heads;
  const entry = head === undefined ? null : await store.get(HEADS, head.key);
  if (head === undefined || entry === null) throw new Error('the sample was not taken in');
  return { id: runId(7), key: head.key, value: Buffer.from(entry.value).toString('utf8'), meta: head.meta };
}
