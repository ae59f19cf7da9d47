import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KEPT_WHOLE } from '../../electron/checkpoints/keys.js';
import { Sealer } from '../../electron/checkpoints/seals.js';
import { openStore } from '../../electron/store/file-store.js';
import { hashOf, headerLine, readHeader, sha256Hex } from '../../electron/store/header.js';
import type { FileStore } from '../../electron/store/opened-store.js';
import type { SuspensionKey } from '../../shared/decision.js';
import { tempFolder } from './store-folder.js';
import { klieoRecord, unwrap, World } from './world.js';

export const RUN = '01K0QZ6V5M3H8D7N2B4C9F1XGA';
export const OTHER = '01K0QZ6V5M3H8D7N2B4C9F1XGB';
export const NAME = `klieo:local:1:${RUN}`;

export interface KeptWorld {
  world: World;
  store: FileStore;
  /** The data folder; its store lies in `store`. */
  data: string;
  root: string;
  key: SuspensionKey;
}

export const refund = (runId: string): Uint8Array =>
  klieoRecord({ runId, calls: [{ id: 'c1', name: 'issue_refund', args: '{"amount":1}' }] });

/** A store on disk with one run that was decided, taken back, decided again, continued and finished, and one that waits. */
export async function keptWorld(): Promise<KeptWorld> {
  const data = join(tempFolder(), 'data');
  const root = join(data, 'store');
  const store = await openStore(root, { ballastBytes: 0, keepAll: KEPT_WHOLE });
  const world = new World({}, store);
  const key = await world.put(refund(RUN));
  unwrap(await world.decide(key, ['approve']));
  unwrap(await world.resume(key));
  await world.put(refund(OTHER));
  return { world, store, data, root, key };
}

export const seal = ({ store, world }: Pick<KeptWorld, 'store' | 'world'>): Promise<number> =>
  new Sealer(store, world.ports).seal();

/** Changes a record the way somebody would who knows the format: lengths, digests and checksum are right again. */
export function forge(file: string, change: (body: string) => string, header: Record<string, unknown> = {}): string {
  const text = readFileSync(file, 'utf8');
  const end = text.indexOf('\n');
  const reading = readHeader(text.slice(0, end));
  if (!reading.ok) throw new Error(reading.reason);
  const body = change(text.slice(end + 1));
  const line = headerLine({ ...reading.header, len: Buffer.byteLength(body), sha256: sha256Hex(body), ...header });
  writeFileSync(file, `${line}\n${body}`);
  return hashOf(line);
}

export function swap(one: string, other: string): void {
  renameSync(one, `${one}.aside`);
  renameSync(other, one);
  renameSync(`${one}.aside`, other);
}
