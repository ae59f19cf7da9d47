import { placesOf } from './text-place.js';

export type JsonFaultCode =
  | 'not_utf8'
  | 'bom'
  | 'utf16'
  | 'empty'
  | 'syntax'
  | 'truncated'
  | 'lone_surrogate'
  | 'too_deep'
  | 'too_many_values'
  | 'number_overflow'
  | 'trailing'
  | 'duplicate_key';

/** Why a text is not strict JSON, and where. */
export interface JsonFault {
  code: JsonFaultCode;
  /** Path of the value that was being read, like `messages[0].content`; '' for the whole. */
  path: string;
  /** Byte offset in the UTF-8 text. */
  offset: number;
  /** 1-based. */
  line: number;
  /** 1-based, in UTF-16 units. */
  column: number;
  /** For a person: what is wrong, and the place. */
  text: string;
}

/** A key that stands more than once in one object. `path` is the object's path. */
export interface DuplicateKey extends JsonFault {
  code: 'duplicate_key';
  key: string;
}

/** `pending_tool_calls[0].args` as words; the whole document is the top level. */
export function inWords(path: string): string {
  if (path === '') return 'at top level';
  return `in ${path.length > 300 ? `${path.slice(0, 300)}…` : path}`;
}

/** Builds a fault at one UTF-16 offset of `text`; the place is put in front of the words. */
export function faultAt(text: string, code: JsonFaultCode, path: string, at: number, words: string): JsonFault {
  const place = placesOf(text, [at])[0] ?? { offset: 0, line: 1, column: 1 };
  const where = path === '' ? '' : ` (${inWords(path)})`;
  return { code, path, ...place, text: `line ${place.line}, column ${place.column}: ${words}${where}` };
}
