import type { ReadResult } from '../format.js';
import { agentRecord } from './agent-record.js';
import { openCheckpoint } from './open.js';
import { workflowRecord } from './workflow-record.js';

/** A runifold checkpoint in the normal form. */
export function readRunifold(bytes: Uint8Array): ReadResult {
  const opened = openCheckpoint(bytes);
  if (!opened.ok) return opened;
  const { document } = opened;
  return { ok: true, record: document.kind === 'agent' ? agentRecord(document) : workflowRecord(document) };
}
