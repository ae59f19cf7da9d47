import { z } from 'zod';
import type { ReadRefusal } from '../../../shared/checkpoint.js';
import { type DuplicateKey, type JsonNode, readJson, readJsonText } from '../../../shared/json.js';
import { formatNs, parseTime } from '../../../shared/time.js';
import { decodeUtf8 } from '../../../shared/utf8.js';
import { child, refusalOf } from '../refuse-record.js';
import { NumberText, readStruct } from '../struct.js';
import { linesOf } from './lines.js';
import { type RowPlace, refusalInRow, shifted } from './place.js';
import { type Decoded, decodeState } from './state.js';

/** One row of persist.Checkpoint (FORMATS 6); column names are an assumption. */
export interface CyreneRow {
  id: string;
  sessionId: string;
  /** The STEP column, which counts (C2). */
  step: number;
  /** RFC 3339 in UTC. */
  updatedAt: string;
  updatedAtNs: bigint;
  state: Decoded;
  place: RowPlace;
}

export type RowsRead = { ok: true; rows: CyreneRow[] } | { ok: false; refusal: ReadRefusal };

const text = z.string({ error: 'must be a text' });
const columns = z.object(
  {
    id: text,
    agent_id: text,
    step: z
      .custom<NumberText>((value) => value instanceof NumberText && /^\d{1,15}$/.test(value.text), {
        error: 'must be a whole number, written without fraction or exponent',
      })
      .transform((value) => Number(value.text)),
    updated_at: text,
    /** A column without bytes is an empty text, which cannot be decoded. */
    state: z
      .string({ error: 'must be a text' })
      .nullable()
      .transform((value) => value ?? ''),
  },
  { error: 'must be an object' },
);

/**
 * Every row of a file, in the order written: one row, a list of rows, or one row a line. A row that cannot be loaded
 * refuses the file, since it may be the latest; one whose state cannot be decoded is kept with its reason.
 */
export function readRows(bytes: Uint8Array): RowsRead {
  const document = readJson(bytes);
  if (document.ok) return rowsOf(document, { lines: 0, bytes: 0 });
  const decoded = decodeUtf8(bytes);
  const lines = decoded.ok && document.fault.code === 'trailing' ? linesOf(decoded.text) : [];
  if (lines.length < 2) return { ok: false, refusal: refusalOf(document.fault) };
  const rows: CyreneRow[] = [];
  for (const { line, before } of lines) {
    const own = readJsonText(line);
    if (!own.ok) return { ok: false, refusal: shifted({ ...refusalOf(own.fault), code: 'cannot_load' }, before) };
    const read = rowsOf(own, before);
    if (!read.ok) return read;
    rows.push(...read.rows);
  }
  return { ok: true, rows };
}

interface Document {
  text: string;
  root: JsonNode;
  duplicates: readonly DuplicateKey[];
}

function rowsOf({ text: whole, root, duplicates }: Document, before: RowPlace['before']): RowsRead {
  const [duplicate] = duplicates;
  if (duplicate !== undefined) {
    const words = `line ${duplicate.line}, column ${duplicate.column}: cannot load: ${duplicate.text}`;
    return { ok: false, refusal: shifted({ ...refusalOf(duplicate), code: 'cannot_load', text: words }, before) };
  }
  const list = root.kind === 'array' ? root.items : [root];
  const rows: CyreneRow[] = [];
  for (const index of list.keys()) {
    const path = root.kind === 'array' ? [index] : [];
    const row = rowAt({ text: whole, root, path, before });
    if (!row.ok) return row;
    rows.push(row.row);
  }
  return { ok: true, rows };
}

function rowAt(place: RowPlace): { ok: true; row: CyreneRow } | { ok: false; refusal: ReadRefusal } {
  const [index] = place.path;
  const node = index === undefined ? place.root : (child(place.root, index) ?? place.root);
  const struct = readStruct(columns, { text: place.text, root: node }, new Set());
  const cannotLoad = (column: string, words: string) => ({
    ok: false as const,
    refusal: refusalInRow(place, column, 'cannot_load', `cannot load: ${words}`),
  });
  if (!struct.ok) return cannotLoad(struct.refusal.path, struct.refusal.text.replace(/^line \d+, column \d+: /, ''));
  const { id, agent_id: sessionId, step, updated_at: written, state } = struct.value;
  // The session's own id may hold colons: the last one counts.
  if (id !== `${sessionId}:${step}`)
    return cannotLoad(
      'id',
      `id ${JSON.stringify(id)} is not that of step ${step} of session ${JSON.stringify(sessionId)}`,
    );
  const time = parseTime(written);
  if (!time.ok) return cannotLoad('updated_at', `updated_at: ${time.reason}`);
  const updated = { updatedAt: formatNs(time.ns), updatedAtNs: time.ns };
  return { ok: true, row: { id, sessionId, step, ...updated, state: decodeState(state), place } };
}
