import { join, sep } from 'node:path';
import { parseName, plainRevision, type RecordName, slotName } from './names.js';
import { INNER } from './stage.js';

/** One revision of a key, and what holds it. */
export type Slot = Omit<RecordName, 'enc'>;

/** What one listing of a shard says about one key. */
export interface KeyFiles {
  enc: string;
  /** Every revision that is there, ascending. */
  revisions: Slot[];
  /** Why the names alone make the key untrustworthy, or null. */
  forked: string | null;
  /** Names that are no record's, but speak of this key. */
  strays: string[];
}

/** The path of the file that holds a slot's bytes. */
export function slotFile(shardPath: string, slot: RecordName): string {
  const path = `${shardPath}${sep}${slotName(slot)}`;
  return slot.form === 'file' ? path : join(path, INNER);
}

/** The files of one key among the names of its shard; null when nothing speaks of it. */
export function filesOf(names: readonly string[], enc: string): KeyFiles | null {
  const revisions: KeyFiles['revisions'] = [];
  const strays: string[] = [];
  const prefix = `${enc}.`;
  for (const name of names) {
    // Nearly every name that begins so is a plain record's: a hot key may have hundreds.
    const revision = name.startsWith(prefix) ? plainRevision(name, prefix.length) : 0;
    if (revision > 0) {
      revisions.push({ revision, form: 'file' });
      continue;
    }
    // Most names of a shard are other keys', and differ near the end of the key: no copy is made of them to be told apart.
    const last = name.charCodeAt(enc.length - 1);
    if (last < 128 && (last | 32) !== (enc.charCodeAt(enc.length - 1) | 32)) continue;
    if (name.slice(0, enc.length).toLowerCase() !== enc) continue;
    const parsed = parseName(name);
    if (parsed === null || parsed.enc !== enc) continue;
    if ('revision' in parsed) revisions.push({ revision: parsed.revision, form: parsed.form });
    else strays.push(name);
  }
  if (revisions.length === 0 && strays.length === 0) return null;
  revisions.sort((a, b) => a.revision - b.revision);
  return { enc, revisions, strays, forked: whyForked(revisions, strays) };
}

/** Two files for the newest revision, or a copy beside the records: two machines have written, and nobody can say who is right. */
function whyForked(revisions: KeyFiles['revisions'], strays: readonly string[]): string | null {
  const [stray] = strays;
  if (stray !== undefined) return `a file beside it, ${stray}, looks like a copy that another program made`;
  const [before, newest] = revisions.slice(-2);
  const twin = newest !== undefined && before?.revision === newest.revision;
  return twin ? `two files claim revision ${newest.revision}` : null;
}
