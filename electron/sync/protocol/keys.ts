import type { SuspensionKey } from '../../../shared/decision.js';
import { textDigest } from '../../formats/text-digest.js';
import { toWtf8 } from '../../store/wtf8.js';

/** A suspension as its home names it; a system that this version does not know keeps its name. */
export type SharedSuspension = Omit<SuspensionKey, 'system'> & { system: string };

/** Longest id in characters; a longer one is a digest, and the head holds the real key. */
const LONGEST_ID = 200;
const LONGEST_NAME = 100;

/** Text as one token of a key: letters, digits, "_" and "-" as they are, every other byte as =XX. Injective for any text. */
export function token(text: string): string {
  let out = '';
  for (const byte of toWtf8(text)) {
    const char = String.fromCharCode(byte);
    out += /[A-Za-z0-9_-]/.test(char) ? char : `=${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return out;
}

/**
 * The id of a suspension, made of its own key and so the same wherever it is made; one suspension, one latch. A system's
 * name never begins with "=", which a digest does.
 */
export function suspensionId({ system, source, runId, seq }: SharedSuspension): string {
  const id = [system, source, String(seq), runId].map(token).join('/');
  return id.length <= LONGEST_ID ? id : `=sha256/${textDigest(id)}`;
}

/** A reviewer's own part of the keys: what an engine's rights name. */
export function reviewerToken(name: string): string {
  const own = token(name);
  return own.length <= LONGEST_NAME ? own : `=sha256-${textDigest(own)}`;
}

export const headKey = (id: string): string => `susp.${id}`;
export const decisionKey = (reviewer: string, id: string, decisionId: string): string =>
  `dec.${reviewerToken(reviewer)}.${id}.${token(decisionId)}`;
/** Raised by an operator after a restore from a copy. */
export const EPOCH_KEY = 'meta.epoch';
/** Written only to learn the engine's own time. */
export const TICK_KEY = 'meta.tick';

export type KeyRead =
  | { kind: 'head'; id: string }
  | { kind: 'decision'; reviewer: string; id: string; decisionId: string }
  | { kind: 'epoch' }
  /** None of ours: shown as such where a person asks, and never touched. */
  | { kind: 'foreign' };

export function readKey(key: string): KeyRead {
  if (key === EPOCH_KEY) return { kind: 'epoch' };
  const [room, ...parts] = key.split('.');
  if (parts.some((part) => part === '' || !/^[\w=/-]+$/.test(part))) return { kind: 'foreign' };
  const [first = '', id = '', decisionId = ''] = parts;
  if (room === 'susp' && parts.length === 1) return { kind: 'head', id: first };
  if (room === 'dec' && parts.length === 3) return { kind: 'decision', reviewer: first, id, decisionId };
  return { kind: 'foreign' };
}
