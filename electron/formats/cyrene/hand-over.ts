import type { NormalRecord } from '../../../shared/checkpoint.js';
import { raw } from '../../../shared/json.js';
import type { HandedOver } from '../format.js';
import { child } from '../refuse-record.js';
import { openSession } from './read.js';

/** The row to resume from, as it came; Cyrene has no decision of its own (C5). */
export function handOver(bytes: Uint8Array, record: NormalRecord): HandedOver {
  const opened = openSession(bytes);
  if (!opened.ok) throw new Error(`not a readable Cyrene session: ${opened.refusal.text}`);
  const { text, root, path } = opened.session.latest.place;
  const [index] = path;
  const row = index === undefined ? undefined : child(root, index);
  const notes = record.pending === null ? [] : ['Cyrene has no decision on calls; each call has its verdict beside'];
  return { systemDecision: null, record: row === undefined ? text : raw(text, row), notes };
}
