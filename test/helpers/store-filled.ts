import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeDisk } from '../../electron/store/disk.js';
import { openStore } from '../../electron/store/file-store.js';
import { type Header, headerLine, RECORD_FORMAT, sha256Hex } from '../../electron/store/header.js';
import { type HostIdentity, thisHost } from '../../electron/store/host.js';
import { encodeKey, SHARDS, shardOf, slotName } from '../../electron/store/names.js';

export interface FilledRecord {
  key: string;
  value: Uint8Array;
  meta: string;
}

/**
 * A bucket full of first revisions, as the store itself would have written them, but without a sync for each: a hundred
 * thousand take seconds, not minutes. For a bucket that nobody has written yet.
 */
export async function fillBucket(
  root: string,
  bucket: string,
  records: Iterable<FilledRecord>,
  host: HostIdentity = thisHost(nodeDisk),
): Promise<void> {
  await (await openStore(root, { host })).close();
  const folder = join(root, 'k', bucket);
  for (const shard of SHARDS) mkdirSync(join(folder, shard), { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, '.complete'), '', { mode: 0o600 });
  for (const { key, value, meta } of records) {
    const header: Header = {
      hp: RECORD_FORMAT,
      bucket,
      key,
      rev: 1,
      op: 'put',
      len: value.byteLength,
      sha256: sha256Hex(value),
      meta,
      home: host.id,
      id: randomUUID(),
      prev: '',
      before: '',
    };
    const name = slotName({ enc: encodeKey(key), revision: 1, form: 'file' });
    const bytes = Buffer.concat([Buffer.from(`${headerLine(header)}\n`, 'utf8'), value]);
    writeFileSync(join(folder, shardOf(key), name), bytes, { mode: 0o600 });
  }
}
