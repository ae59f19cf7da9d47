import { z } from 'zod';
import { accepted, type Outcome } from '../../../shared/refusal.js';
import { jsonText } from '../json-text.js';
import { type DurableRecord, durableBytes, readDurable } from './durable-record.js';
import { DEFERRED, refusedAs } from './names.js';
import { numberOf, textOf } from './nodes.js';
import { rawMember, withMembers } from './raw-object.js';
import type { DeferredResult } from './returns.js';
import { metadata, OBJECT, optionalValue, text, time, traceContext, u64 } from './scalars.js';

export const EXECUTION_STATUSES = ['pending', 'running', 'waiting', 'completed', 'failed', 'cancelled'] as const;
export type ExecutionStatus = (typeof EXECUTION_STATUSES)[number];

/** The durable record beside a call that is made elsewhere; free-form values are JSON texts (FORMATS 4.3). */
export interface DeferredRecord {
  deferredId: string;
  /** u64 as text (J6). */
  revision: string;
  sessionId: string;
  runId: string;
  callId: string;
  name: string;
  request: string;
  status: ExecutionStatus;
  response: string;
  createdAt: string;
  updatedAt: string;
  source: DurableRecord;
}

const Shape = z.object(
  {
    deferred_id: text,
    revision: u64.optional(),
    session_id: text,
    run_id: text,
    tool_call_id: text,
    tool_name: text,
    request: optionalValue,
    status: z.enum(EXECUTION_STATUSES, { error: `must be one of ${EXECUTION_STATUSES.join(', ')}` }),
    response: optionalValue,
    created_at: time,
    updated_at: time,
    trace_context: traceContext.optional(),
    metadata,
  },
  { error: OBJECT },
);
const ORDER = Object.keys(Shape.shape);

/** Reads a deferred record, v1 or bare v0; an absent revision is 1. */
export function readDeferred(bytes: Uint8Array): Outcome<DeferredRecord> {
  const read = readDurable(bytes, { schema: DEFERRED, bareV0: true, shape: Shape });
  if (!read.ok) return read;
  const { text: whole, payload } = read.value;
  const at = (key: string): string => textOf(payload, key) ?? '';
  return accepted({
    deferredId: at('deferred_id'),
    revision: numberOf(payload, 'revision') ?? '1',
    sessionId: at('session_id'),
    runId: at('run_id'),
    callId: at('tool_call_id'),
    name: at('tool_name'),
    request: rawMember(whole, payload, 'request') ?? 'null',
    status: EXECUTION_STATUSES.find((known) => known === at('status')) ?? 'pending',
    response: rawMember(whole, payload, 'response') ?? 'null',
    createdAt: at('created_at'),
    updatedAt: at('updated_at'),
    source: read.value,
  });
}

/** The record in starweaver's own form, always v1; what it does not know stays as written (S3, J2). */
export function writeDeferred(record: DeferredRecord): Uint8Array {
  return deferredWith(record, new Map());
}

/** The same with some members set, as JSON texts. */
export function deferredWith(
  { source, revision, status }: DeferredRecord,
  set: ReadonlyMap<string, string>,
): Uint8Array {
  const changes = new Map([['revision', revision], ['status', jsonText(status)], ...set]);
  return durableBytes(DEFERRED, withMembers(source.text, source.payload, changes, ORDER));
}

/** The result of a deferred call, once there is one (S12). */
export function resultOf({ status, response, deferredId }: DeferredRecord): Outcome<DeferredResult> {
  if (status === 'completed' || status === 'failed' || status === 'cancelled') return accepted({ status, response });
  const missing = `missing terminal durable deferred decision for ${deferredId}`;
  return refusedAs('MissingDecision', missing, { kind: 'deferred', id: deferredId });
}
