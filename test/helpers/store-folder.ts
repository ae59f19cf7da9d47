import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { HostIdentity } from '../../electron/store/host.js';
import { encodeKey, type Form, shardOf, slotName } from '../../electron/store/names.js';
import type { FileStore } from '../../electron/store/opened-store.js';
import { slotFile } from '../../electron/store/slots.js';

/** Temporary folders that go when the test file is done. */
const made: string[] = [];

export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-store-'));
  made.push(folder);
  return folder;
}

afterAll(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

export function host(id = 'aaaaaaaaaaaaaaaa', pid = process.pid): HostIdentity {
  return {
    id,
    boot: '1234abcd',
    pid,
    start: '77',
    alive: (other, start) => other === pid && (start === '0' || start === '77'),
  };
}

/** The path of one revision's file. */
export function recordFile(root: string, bucket: string, key: string, revision: number, form: Form = 'file'): string {
  return slotFile(shardPath(root, bucket, key), { enc: encodeKey(key), revision, form });
}

/** The path of a name beside a key's records. */
export function besideRecord(root: string, bucket: string, key: string, name: string): string {
  return join(shardPath(root, bucket, key), name);
}

export function recordName(key: string, revision: number): string {
  return slotName({ enc: encodeKey(key), revision, form: 'file' });
}

/** Brings a bucket into use so far that all its shards are made; for payloads, too. */
export async function growFull(store: FileStore, bucket: string): Promise<void> {
  for (let n = 0; n < 40; n += 1) {
    await store.put(bucket, `filling ${n}`, bytes('1'));
    await store.delete(bucket, `filling ${n}`);
    await store.putPayload(bytes(`filling ${n}`));
  }
  const full = [join(store.root, 'k', bucket), join(store.root, 'p')].map((folder) => join(folder, '.complete'));
  for (let tries = 0; tries < 2000 && !full.every((marker) => existsSync(marker)); tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

function shardPath(root: string, bucket: string, key: string): string {
  return join(root, 'k', bucket, shardOf(key));
}

/** Every path below a folder, with its size and time of change: what a test compares to say "nothing changed". */
export function inventory(folder: string, skip: readonly string[] = []): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !skip.some((one) => name === one || name.startsWith(`${one}/`)))
    .sort()
    .map((name) => {
      const { size, mtimeMs, mode } = statSync(join(folder, name));
      return `${name} ${size} ${mtimeMs} ${mode.toString(8)}`;
    });
}

export const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'utf8'));
export const text = (value: Uint8Array | undefined): string => Buffer.from(value ?? []).toString('utf8');
