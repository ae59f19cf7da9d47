import type { AuditedKey, AuditedRevision } from '../store/audit.js';
import { RETENTION } from '../store/thin.js';
import type { Broken } from './broken.js';

export interface ChainReading {
  broken: Broken[];
  /** Revisions that were written before the chain was: they name nothing. */
  beforeTheChain: number;
}

/**
 * Follows the chain of one key: every revision can be read, none is missing, each names the one before it. Old revisions
 * may be gone only as thinning takes them, and only where `mayThin`.
 */
export function readChain(key: AuditedKey, mayThin: boolean): ChainReading {
  const broken: Broken[] = [];
  const say = (revision: AuditedRevision | null, what: string, file = revision?.file ?? null) =>
    broken.push({ file, bucket: key.bucket, key: key.key, revision: revision?.revision ?? null, what });
  for (const stray of key.strays)
    say(null, 'This file is no record of Holdpoint and speaks of one: a copy by another program.', stray);
  const [first] = key.revisions;
  const newest = key.revisions.at(-1);
  if (first === undefined || newest === undefined) return { broken, beforeTheChain: 0 };
  const gone = missingBefore(first, newest, mayThin);
  if (gone !== null) say(first, gone);
  let beforeTheChain = 0;
  let last: AuditedRevision | null = null;
  for (const one of key.revisions) {
    if (one.header === null) say(one, `It cannot be trusted: ${one.reason}.`);
    else if (one.header.before === undefined && last?.header?.before === undefined) beforeTheChain++;
    const wrong = whyNotAfter(last, one);
    if (wrong !== null) say(one, wrong);
    last = one;
  }
  return { broken, beforeTheChain };
}

function missingBefore(first: AuditedRevision, newest: AuditedRevision, mayThin: boolean): string | null {
  const gone = first.revision - 1;
  if (gone === 0) return null;
  const which = gone === 1 ? 'Revision 1 is' : `Revisions 1 to ${gone} are`;
  if (!mayThin) return `${which} missing: of these records none ever goes.`;
  // Of a key that was removed, the tombstone is all that has to stay.
  const most = newest.revision - (newest.header?.op === 'del' ? 1 : RETENTION.distance);
  return gone > most ? `${which} missing: thinning would have left all after ${Math.max(most, 0)}.` : null;
}

function whyNotAfter(last: AuditedRevision | null, one: AuditedRevision): string | null {
  if (last === null) {
    if (one.revision !== 1 || one.header === null || (one.header.before ?? '') === '') return null;
    return 'It is the first revision and names one before it.';
  }
  if (one.revision === last.revision) return `Two files claim revision ${one.revision}.`;
  if (one.revision !== last.revision + 1) {
    const from = last.revision + 1;
    const to = one.revision - 1;
    return from === to ? `Revision ${from} is missing.` : `Revisions ${from} to ${to} are missing.`;
  }
  if (one.header === null || last.header === null) return null;
  if (one.header.prev !== last.header.id)
    return 'It was not written after the revision before it: one of the two was replaced.';
  if (one.header.before === undefined)
    return last.header.before === undefined ? null : 'It names no revision before it, although that one does.';
  if (one.header.before !== last.hash)
    return 'It names another revision before it than the one that is there: that one was altered or replaced.';
  return null;
}
