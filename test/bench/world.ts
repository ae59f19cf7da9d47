import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decide } from '../../electron/checkpoints/decide.js';
import { recordDigest } from '../../electron/checkpoints/digest.js';
import { complete, handOver, reportCall, startCall } from '../../electron/checkpoints/handover.js';
import { takeIn } from '../../electron/checkpoints/intake.js';
import { DECISIONS, HEADS, JOURNALS, suspensionText } from '../../electron/checkpoints/keys.js';
import type { Disk } from '../../electron/store/disk.js';
import { nodeDisk } from '../../electron/store/disk.js';
import { openStore } from '../../electron/store/file-store.js';
import { sha256Hex } from '../../electron/store/header.js';
import { MemoryStore } from '../../electron/store/memory-store.js';
import { SHARDS } from '../../electron/store/names.js';
import type { FileStore } from '../../electron/store/opened-store.js';
import { type FilledRecord, fillBucket } from '../helpers/store-filled.js';
import { approvalOf, benchPorts, recordBytes, runId, unwrap } from './runs.js';

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
 * 200 KB lies beside it; three have 20 MB. `decided`: each has a decision and a finished journal, too. Returns the seconds it took.
 */
export async function filledStore(root: string, count: number, { decided = false } = {}): Promise<number> {
  const start = performance.now();
  const samples = await Promise.all([2 * KB, 12 * KB, 200 * KB, 20 * MB].map(sampleRun));
  for (const shard of SHARDS) mkdirSync(join(root, 'p', shard), { recursive: true, mode: 0o700 });
  const digests = new Map<number, string>();
  function* records(of: 'head' | 'decision' | 'journal'): Generator<FilledRecord> {
    for (let n = 0; n < count; n += 1) {
      const kind = n < 3 && count >= 10_000 ? 3 : n % 100 === 99 ? 2 : n % 11 === 10 ? 1 : 0;
      const sample = samples[kind];
      if (sample === undefined) throw new Error('four kinds');
      const id = runId(n + 1_000_000);
      const head = sample.head.value.replaceAll(sample.id, id);
      const beside = kind >= 2 ? recordBytes(n + 1_000_000, kind === 2 ? 200 * KB : 20 * MB) : null;
      if (beside !== null && of === 'head') payload(root, beside);
      const inline = (JSON.parse(head) as { original: { text?: string } }).original.text ?? '';
      const bytes = beside ?? Buffer.from(inline, 'utf8');
      // The large ones are made anew each time, and say when.
      const digest = digests.get(n) ?? recordDigest({ system: 'klieo', runId: id, resumeStep: 2, bytes });
      if (beside !== null) digests.set(n, digest);
      const own = (text: string): string =>
        text.replaceAll(sample.id, id).replaceAll(sample.digest, digest).replaceAll(sample.sha256, sha256Hex(bytes));
      const { value, meta } = sample[of];
      yield { key: own(sample.key), value: Buffer.from(own(value), 'utf8'), meta: own(meta) };
    }
  }
  await fillBucket(root, HEADS, records('head'));
  if (decided) await fillBucket(root, DECISIONS, records('decision'));
  if (decided) await fillBucket(root, JOURNALS, records('journal'));
  return (performance.now() - start) / 1000;
}

function payload(root: string, bytes: Uint8Array): void {
  const sha256 = sha256Hex(bytes);
  writeFileSync(join(root, 'p', sha256.slice(0, 2), sha256), bytes, { mode: 0o600 });
}

/** A run as it is taken in, decided and completed by its agent, to be written again under other run ids. */
async function sampleRun(size: number) {
  const store = new MemoryStore();
  const ports = benchPorts();
  const bytes = recordBytes(7, size);
  const arrival = { bytes, source: 'local', via: 'inbox', route: 'handed_over' } as const;
  const { key } = unwrap(await takeIn(store, ports.clock, arrival));
  const name = suspensionText(key);
  const text = async (bucket: string) => {
    const entry = await store.get(bucket, name);
    if (entry === null) throw new Error(`the sample has no ${bucket}`);
    return { value: Buffer.from(entry.value).toString('utf8'), meta: entry.meta };
  };
  const head = await text(HEADS);
  const said = await approvalOf(store, key);
  unwrap(await decide(store, ports, said));
  unwrap(await handOver(store, ports, key, 'token'));
  unwrap(await startCall(store, ports, key, 0, 'token'));
  unwrap(await reportCall(store, ports, key, 0, 'token', { kind: 'result', text: 'refunded' }));
  unwrap(await complete(store, ports, key, 'token', 'done'));
  const [decision, journal] = [await text(DECISIONS), await text(JOURNALS)];
  return { id: runId(7), key: name, digest: said.binding.digest, sha256: sha256Hex(bytes), head, decision, journal };
}
