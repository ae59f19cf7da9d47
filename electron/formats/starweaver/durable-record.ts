import type { z } from 'zod';
import type { ReadRefusal } from '../../../shared/checkpoint.js';
import { type JsonObject, readJson } from '../../../shared/json.js';
import { accepted, type Outcome, refused } from '../../../shared/refusal.js';
import { child, inFewWords, refusalAt, refusalOf } from '../refuse-record.js';
import { readStruct } from '../struct.js';
import { type Envelope, inEnvelope, openEnvelope } from './envelope.js';
import { OPAQUE } from './scalars.js';

/** A record beside a checkpoint, as it stands in its text. */
export interface DurableRecord {
  schema: string;
  envelope: Envelope;
  text: string;
  payload: JsonObject;
  /** Keys that stand twice, by their paths: readers differ on what they mean, so nothing is decided on them (I5). */
  repeated: readonly string[];
}

/** Reads a neighbour strictly (S1, S2). Refused as `unreadable`; the facts hold code and place in `read`. */
export function readDurable(
  bytes: Uint8Array,
  kind: { schema: string; bareV0: boolean; shape: z.ZodType<unknown> },
): Outcome<DurableRecord> {
  const refuse = (refusal: ReadRefusal): Outcome<never> => refused('unreadable', refusal.text, { read: refusal });
  const document = readJson(bytes);
  if (!document.ok) return refuse(refusalOf(document.fault));
  const { text, root, duplicates } = document;
  const opened = openEnvelope(document, kind.schema, { bareV0: kind.bareV0 });
  if (!opened.ok) return refuse(opened.refusal);
  const { payload, path } = opened;
  // Held against its shape from the payload on; the place is right all the same, since nodes know where they stand.
  const struct = readStruct(kind.shape, { text, root: payload }, OPAQUE);
  if (!struct.ok) return refuse({ ...struct.refusal, path: below(path, struct.refusal.path) });
  if (payload.kind !== 'object') {
    const what = child(root, path[0] ?? '') ?? root;
    return refuse(refusalAt(text, root, path, 'wrong_type', `the record must be an object, not ${inFewWords(what)}`));
  }
  const repeated = duplicates.map((duplicate) => duplicate.path);
  return accepted({ schema: kind.schema, envelope: opened.envelope, text, payload, repeated });
}

/** The record in the form that is always written (S3); `payload` is its text. */
export function durableBytes(schema: string, payload: string): Uint8Array {
  return new TextEncoder().encode(inEnvelope(schema, payload));
}

function below(path: readonly string[], inner: string): string {
  return [...path, ...(inner === '' ? [] : [inner])].join('.');
}
