import type { NormalRecord, ReadRefusal, System } from '../../shared/checkpoint.js';
import { type JsonNode, readJson, stringifyStrict } from '../../shared/json.js';
import { decodeUtf8 } from '../../shared/utf8.js';
import type { CheckpointFormat } from './format.js';
import { FORMATS } from './list.js';
import { inFewWords, refusalAt, refusalOf } from './refuse-record.js';

/** Larger records are refused unread. Bytes. */
export const MAX_RECORD_BYTES = 64 * 1024 * 1024;

export type RecordRead =
  | { ok: true; record: NormalRecord; format: CheckpointFormat; rule: string }
  /** `system` is `unknown` where not even that could be told. */
  | { ok: false; refusal: ReadRefusal; system: System };

/** Reads a record of any known system; which one is told from the content alone. `rule` says how. */
export function readRecord(bytes: Uint8Array): RecordRead {
  if (bytes.length > MAX_RECORD_BYTES) return { ok: false, refusal: tooLarge(bytes.length), system: 'unknown' };
  const document = readJson(bytes);
  if (!document.ok) return readLines(bytes) ?? { ok: false, refusal: refusalOf(document.fault), system: 'unknown' };
  for (const format of FORMATS) {
    const rule = format.detect(document.root);
    if (rule !== null) return readAs(format, bytes, rule);
  }
  return { ok: false, refusal: unknownFormat(document.text, document.root), system: 'unknown' };
}

/** A file that is no JSON document as a whole, but one record a line. */
function readLines(bytes: Uint8Array): RecordRead | null {
  const decoded = decodeUtf8(bytes);
  if (!decoded.ok) return null;
  for (const format of FORMATS) {
    const rule = format.detectLines?.(decoded.text) ?? null;
    if (rule !== null) return readAs(format, bytes, rule);
  }
  return null;
}

function readAs(format: CheckpointFormat, bytes: Uint8Array, rule: string): RecordRead {
  const read = format.read(bytes);
  return read.ok ? { ...read, format, rule } : { ...read, system: format.system };
}

/** The normal form of one record as JSON text: what `holdpoint inspect --json` prints. Read alone, without a store. */
export function inspectJson(bytes: Uint8Array): string {
  const read = readRecord(bytes);
  const record = read.ok ? read.record : null;
  return stringifyStrict({
    system: read.ok ? read.record.system : read.system,
    runId: record?.runId ?? null,
    checkpointId: record?.checkpointId ?? null,
    threadId: record?.threadId ?? null,
    revision: record?.revision ?? null,
    createdAt: record?.createdAt ?? null,
    updatedAt: record?.updatedAt ?? null,
    completedStep: record?.completedStep ?? null,
    resumeStep: record?.resumeStep ?? null,
    state: record?.state ?? 'unreadable',
    resumable: record?.resumable ?? false,
    pending: (record?.pending ?? []).map(({ paths, ...call }) => call),
    messages: record?.messages.length ?? 0,
    warnings: record?.warnings ?? [],
    refusal: read.ok ? null : read.refusal,
    ...(record?.classification === undefined ? {} : { classification: record.classification }),
    ...(record?.about === undefined ? {} : { about: record.about }),
  });
}

function tooLarge(size: number): ReadRefusal {
  const text = `the record has ${size} bytes; at most ${MAX_RECORD_BYTES} are read`;
  return { code: 'too_large', path: '', offset: null, line: null, column: null, text };
}

function unknownFormat(text: string, root: JsonNode): ReadRefusal {
  const systems = FORMATS.map((format) => format.system).join(', ');
  const words = `no record of a known system (${systems}): it is ${inFewWords(root)}`;
  return refusalAt(text, root, [], 'unknown_format', root.kind === 'object' ? `${words} without their keys` : words);
}
