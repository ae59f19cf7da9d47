import type { JsonFault } from './json-fault.js';
import { placesOf } from './text-place.js';

/** Both runtimes have it; `shared/` is compiled without the types of either. */
declare const TextDecoder: new (
  label: string,
  options: { fatal: boolean; ignoreBOM: boolean },
) => { decode(bytes: Uint8Array): string };

export type Utf8Result = { ok: true; text: string } | { ok: false; fault: JsonFault };

/** Strict UTF-8: no BOM, nothing replaced by U+FFFD. Other encodings are named where they can be told (C80). */
export function decodeUtf8(bytes: Uint8Array): Utf8Result {
  const marked = byteOrderMark(bytes);
  if (marked !== null) return { ok: false, fault: { ...marked, path: '', offset: 0, line: 1, column: 1 } };
  try {
    return { ok: true, text: decode(bytes) };
  } catch (error) {
    const at = firstBadByte(bytes);
    if (at === null) throw error;
    const [place] = placesOf(decode(bytes.subarray(0, at)), [at]);
    const words = `not UTF-8: ${describeBadByte(bytes, at)}`;
    const line = place?.line ?? 1;
    const column = place?.column ?? 1;
    const text = `line ${line}, column ${column}: ${words}`;
    return { ok: false, fault: { code: 'not_utf8', path: '', offset: at, line, column, text } };
  }
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
}

function byteOrderMark(bytes: Uint8Array): Pick<JsonFault, 'code' | 'text'> | null {
  const [a, b, c, d] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) {
    return {
      code: 'bom',
      text: 'the text begins with a byte order mark (BOM, bytes EF BB BF), which JSON does not allow',
    };
  }
  if (a === 0xff && b === 0xfe && c === 0 && d === 0) return { code: 'not_utf8', text: 'not UTF-8: this is UTF-32' };
  if (a === 0xff && b === 0xfe) return { code: 'utf16', text: 'not UTF-8: this is UTF-16, little-endian' };
  if (a === 0xfe && b === 0xff) return { code: 'utf16', text: 'not UTF-8: this is UTF-16, big-endian' };
  // Without a mark: JSON begins with an ASCII character, so every other byte is zero.
  if (a !== undefined && a !== 0 && b === 0 && c !== 0) {
    return { code: 'utf16', text: 'not UTF-8: this looks like UTF-16, little-endian, without a byte order mark' };
  }
  if (a === 0 && b !== undefined && b !== 0) {
    return { code: 'utf16', text: 'not UTF-8: this looks like UTF-16, big-endian, without a byte order mark' };
  }
  return null;
}

/** Offset of the first byte of the first ill-formed sequence; null when there is none. */
function firstBadByte(bytes: Uint8Array): number | null {
  let at = 0;
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at);
    if (length === 0) return at;
    at += length;
  }
  return null;
}

/** Length of the well-formed sequence at `at`, 0 when it is ill-formed (Unicode, table 3-7). */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0;
  if (lead < 0x80) return 1;
  const length =
    lead >= 0xc2 && lead <= 0xdf ? 2 : lead >= 0xe0 && lead <= 0xef ? 3 : lead >= 0xf0 && lead <= 0xf4 ? 4 : 0;
  if (length === 0) return 0;
  const second = bytes[at + 1] ?? 0;
  const lowest = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const highest = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  if (second < lowest || second > highest) return 0;
  for (let next = 2; next < length; next++) {
    if (((bytes[at + next] ?? 0) & 0xc0) !== 0x80) return 0;
  }
  return length;
}

function describeBadByte(bytes: Uint8Array, at: number): string {
  const lead = bytes[at] ?? 0;
  const next = bytes[at + 1];
  const hex = `byte ${lead.toString(16).toUpperCase().padStart(2, '0')} at offset ${at}`;
  if (next !== undefined && next >= 0x80 && next <= 0xbf) {
    if (lead === 0xc0 || lead === 0xc1) return `${hex} begins an overlong form`;
    if (lead === 0xed && next >= 0xa0) return `${hex} begins an encoded surrogate`;
  }
  if (next === undefined && lead >= 0xc2 && lead <= 0xf4) return `${hex} begins a character that is cut off`;
  if (lead >= 0xa0 && (next === undefined || next < 0x80)) {
    return `${hex} stands alone; the text looks like Latin-1 (ISO 8859-1 or Windows-1252)`;
  }
  return `${hex} is not part of a character`;
}
