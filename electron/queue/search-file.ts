import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Postings } from './postings.js';
import { SearchIndex } from './search-index.js';

/** What was read of which record: its name in the store, and the digest of its bytes. */
export interface Doc {
  name: string;
  digest: string;
}

const VERSION = 1;
const SHA_BYTES = 32;

interface Header {
  holdpoint: 'search';
  v: number;
  storeId: string;
  docs: number;
  texts: number;
  lengths: number;
}

/**
 * The search index on disk, so that a start reads no records again. Rebuilt from the records when it is missing, torn or
 * another store's: a checksum over all of it says so. `docs` has null for what was dropped; nothing of that is written.
 */
export function saveSearch(path: string, storeId: string, docs: readonly (Doc | null)[], index: SearchIndex): void {
  const renumbered = new Map<number, number>();
  const kept: Doc[] = [];
  for (const [at, doc] of docs.entries()) {
    if (doc === null) continue;
    renumbered.set(at, kept.length);
    kept.push(doc);
  }
  const parts: string[] = [];
  const lists: Postings[] = [];
  for (const [at, part] of index.parts.entries()) {
    const list = kept.length === docs.length ? index.postingsOf(at) : new Postings();
    if (list === undefined) continue;
    if (kept.length !== docs.length)
      index.postingsOf(at)?.forEach((doc) => {
        const now = renumbered.get(doc);
        if (now !== undefined) list.add(now);
      });
    if (list.last < 0) continue;
    parts.push(part);
    lists.push(list);
  }
  const texts = Buffer.from(JSON.stringify([kept.map(({ name, digest }) => [name, digest]), parts]), 'utf8');
  const lengths = Buffer.from(new Uint32Array(lists.flatMap((list) => [list.bytes().length, list.last])).buffer);
  const header: Header = {
    holdpoint: 'search',
    v: VERSION,
    storeId,
    docs: kept.length,
    texts: texts.length,
    lengths: lengths.length,
  };
  const body = Buffer.concat([
    Buffer.from(`${JSON.stringify(header)}\n`, 'utf8'),
    texts,
    lengths,
    ...lists.map((list) => list.bytes()),
  ]);
  const temp = `${path}.${randomUUID()}.tmp`;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  try {
    writeFileSync(temp, Buffer.concat([body, createHash('sha256').update(body).digest()]), { mode: 0o600 });
    renameSync(temp, path);
  } catch (error) {
    rmSync(temp, { force: true });
    throw error;
  }
}

/** Null when there is none that can be used: then the records are read. */
export function loadSearch(path: string, storeId: string): { docs: Doc[]; index: SearchIndex } | null {
  try {
    const file = readFileSync(path);
    const body = file.subarray(0, file.length - SHA_BYTES);
    if (!createHash('sha256').update(body).digest().equals(file.subarray(body.length))) return null;
    const end = body.indexOf('\n');
    const header = JSON.parse(body.toString('utf8', 0, end)) as Header;
    if (header.holdpoint !== 'search' || header.v !== VERSION || header.storeId !== storeId) return null;
    const at = end + 1 + header.texts;
    const [docs, parts] = JSON.parse(body.toString('utf8', end + 1, at)) as [[string, string][], string[]];
    const lengths = new Uint32Array(new Uint8Array(body.subarray(at, at + header.lengths)).buffer);
    const lists: Postings[] = [];
    let from = at + header.lengths;
    for (let i = 0; i < lengths.length; i += 2) {
      const length = lengths[i] ?? 0;
      // Copied: what is added later needs room of its own.
      lists.push(new Postings(Uint8Array.from(body.subarray(from, from + length)), length, lengths[i + 1] ?? -1));
      from += length;
    }
    const index = new SearchIndex();
    index.load(header.docs, parts, lists);
    return { docs: docs.map(([name, digest]) => ({ name, digest })), index };
  } catch {
    return null; // Missing, or not what it says: the records are the truth.
  }
}
