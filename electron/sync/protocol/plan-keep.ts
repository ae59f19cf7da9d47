import type { Refusal } from '../../../shared/refusal.js';
import { refused } from '../../../shared/refusal.js';
import type { SharedHead } from './head.js';
import type { Write } from './plan-push.js';
import type { Read } from './read.js';

export type HandOffPlan =
  | Write
  /** It stands there, made by us: an earlier attempt had landed. */
  | { kind: 'landed'; revision: number }
  | { kind: 'refused'; refusal: Refusal };

/** Puts a run into the engine; create only. The note that it is handed off is durable before this is sent. */
export function planHandOff(read: Read, head: SharedHead): HandOffPlan {
  switch (read.kind) {
    case 'absent':
      return { kind: 'write', next: head, expected: 0 };
    case 'head':
      if (read.head.inc === head.inc) return { kind: 'landed', revision: read.revision };
      return {
        kind: 'refused',
        refusal: refused(
          'already_known',
          'Another machine put this run into the shared engine first; that one counts.',
          {
            same: read.head.digest === head.digest,
          },
        ).refusal,
      };
    case 'unreadable':
      return {
        kind: 'refused',
        refusal: refused('unreadable', `The engine's record cannot be read: ${read.text}.`).refusal,
      };
    case 'marker':
    case 'sealed':
      return {
        kind: 'refused',
        refusal: refused('tombstone', 'The shared engine had this run, and it is gone.').refusal,
      };
  }
}

/** A run that waits longer than its ttl ends; by the engine's own time alone, never by a machine's clock (nanoseconds). */
export function planExpire(read: Read, now: bigint, ttl: bigint): Write | null {
  if (read.kind !== 'head' || read.head.state !== 'suspended' || now - read.at < ttl) return null;
  return { kind: 'write', next: { ...read.head, state: 'expired', end: 'expired' }, expected: read.revision };
}

/** Its agent takes it back, or its run moved on; refused by the plan (null) once it was claimed or ended. */
export function planEnd(read: Read, end: 'withdrawn' | 'superseded'): Write | null {
  if (read.kind !== 'head' || read.head.latch !== null || read.head.state === 'expired') return null;
  if (read.head.state === 'decided' && end === 'withdrawn') return null;
  return { kind: 'write', next: { ...read.head, state: 'expired', end }, expected: read.revision };
}

/** The revision over which an ended head may be removed; null while somebody may still come with a decision on it. */
export function planPurge(read: Read, now: bigint, horizon: bigint): number | null {
  if (read.kind !== 'head' || (read.head.state !== 'done' && read.head.state !== 'expired')) return null;
  return now - read.at >= horizon ? read.revision : null;
}
