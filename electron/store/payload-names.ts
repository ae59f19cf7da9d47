import { randomUUID } from 'node:crypto';

/**
 * A payload is a file named by its sha256. One that nothing seems to name any more is not removed at once: it gets a
 * leaving name, which no two sweeps ever share, and is read under that as well.
 */
export type PayloadName = { sha256: string; leavingSinceMs: number | null };

const NAME = /^([0-9a-f]{64})(?:\.(\d{13})-[0-9a-f]{8})?$/;

export function parsePayloadName(name: string): PayloadName | null {
  const [, sha256, since] = NAME.exec(name) ?? [];
  return sha256 === undefined ? null : { sha256, leavingSinceMs: since === undefined ? null : Number(since) };
}

export function leavingName(sha256: string, nowMs: number): string {
  return `${sha256}.${String(Math.floor(nowMs)).padStart(13, '0')}-${randomUUID().slice(0, 8)}`;
}
