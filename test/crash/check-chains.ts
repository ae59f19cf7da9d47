import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DECISIONS } from '../../electron/checkpoints/keys.js';
import { parseName, type RecordName } from '../../electron/store/names.js';
import { findPart, isJoined } from '../../electron/store/record-parts.js';
import { slotFile } from '../../electron/store/slots.js';
import { RETENTION } from './acts.js';

/**
 * Looks at the files alone: the revisions of each key follow one another without a gap, each one names the one before
 * it, nothing else lies there, and what may not be thinned starts at 1. Returns what is wrong, in words.
 */
export function chainProblems(root: string): string[] {
  const problems: string[] = [];
  const records = join(root, 'k');
  for (const bucket of existsSync(records) ? readdirSync(records) : []) {
    for (const shard of readdirSync(join(records, bucket)).filter((name) => name !== '.complete')) {
      const folder = join(records, bucket, shard);
      const keys = new Map<string, RecordName[]>();
      for (const name of readdirSync(folder)) {
        const parsed = parseName(name);
        if (parsed === null || !('revision' in parsed)) problems.push(`${folder}/${name} is no record`);
        else keys.set(parsed.enc, [...(keys.get(parsed.enc) ?? []), parsed]);
      }
      for (const slots of keys.values()) problems.push(...gaps(folder, bucket, slots));
    }
  }
  return problems;
}

function gaps(folder: string, bucket: string, slots: RecordName[]): string[] {
  slots.sort((a, b) => a.revision - b.revision);
  const [first] = slots;
  const problems: string[] = [];
  if (first === undefined) return problems;
  // Of a key that was removed nothing below the tombstone has to stay, also when it came back.
  const removed = bucket !== DECISIONS && slots.some((slot) => headerOf(folder, slot).op === 'del');
  if ((bucket === DECISIONS || slots.length < RETENTION.distance) && first.revision !== 1 && !removed) {
    problems.push(`${folder}/${first.enc} begins at revision ${first.revision}, with ${slots.length} left`);
  }
  let before = '';
  for (const [n, slot] of slots.entries()) {
    const where = `${folder}/${slot.enc}.${slot.revision}`;
    if (slot.revision !== first.revision + n) problems.push(`${where} follows a gap`);
    const header = headerOf(folder, slot);
    if (n > 0 && header.prev !== before) problems.push(`${where} does not build on the revision before it`);
    before = header.id;
  }
  return problems;
}

/** The first line of a record, also of one that was written together with others. */
function headerOf(folder: string, slot: RecordName): { id: string; prev: string; op: string } {
  const bytes = readFileSync(slotFile(folder, slot));
  const part = isJoined(bytes)
    ? findPart(bytes, bytes.length, { bucket: basename(dirname(folder)), enc: slot.enc })
    : null;
  const record = part === null ? bytes : bytes.subarray(part.offset, part.offset + part.length);
  return JSON.parse(record.toString('utf8').split('\n', 1)[0] ?? '');
}
