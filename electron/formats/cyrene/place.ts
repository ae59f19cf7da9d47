import type { ReadRefusal } from '../../../shared/checkpoint.js';
import type { JsonNode } from '../../../shared/json.js';
import { refusalAt } from '../refuse-record.js';

/** Where a row stands in its file: in a document of one or several rows, or on a line that is a document of its own. */
export interface RowPlace {
  text: string;
  root: JsonNode;
  path: readonly (string | number)[];
  /** What stands before the line: lines, and bytes. */
  before: { lines: number; bytes: number };
}

/** Why a session's rows are refused: told apart, because Cyrene starts afresh for each of them (C3). */
export type RowRefusalCode = 'no_row' | 'cannot_load' | 'cannot_decode' | 'no_conversation' | 'several_sessions';

/** A refusal at one column of a row. */
export function refusalInRow(place: RowPlace, column: string, code: RowRefusalCode, words: string): ReadRefusal {
  const { text, root, path, before } = place;
  return shifted(refusalAt(text, root, [...path, ...(column === '' ? [] : [column])], code, words), before);
}

/** The place in the file of a refusal that counts from its line. */
export function shifted(refusal: ReadRefusal, before: RowPlace['before']): ReadRefusal {
  const { line, offset } = refusal;
  if (before.lines === 0 || line === null) return refusal;
  return {
    ...refusal,
    line: line + before.lines,
    offset: offset === null ? null : offset + before.bytes,
    text: refusal.text.replace(/^line \d+/, `line ${line + before.lines}`),
  };
}
