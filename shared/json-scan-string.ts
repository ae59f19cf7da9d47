import { ScanStop } from './json-scan-stop.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SIMPLE_ESCAPES = '"\\/bfnrt';

export interface ScannedString {
  value: string;
  end: number;
}

/**
 * Reads the string whose opening quote is at `start`. Lone surrogates are refused in both spellings (J7): as an escape,
 * and, for a text that never was UTF-8, as a bare unit.
 */
export function scanString(text: string, start: number): ScannedString {
  let escaped = false;
  let at = start + 1;
  for (;;) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) break;
    if (unit === BACKSLASH) {
      escaped = true;
      at = skipEscape(text, at);
    } else if (unit < 0x20) {
      throw new ScanStop('syntax', at, `a control character (U+${hex4(unit)}) stands unescaped in a string`);
    } else if (unit >= 0xd800 && unit <= 0xdfff) {
      if (unit > 0xdbff || !isLow(text.charCodeAt(at + 1))) throw lone(at, unit);
      at += 2;
    } else if (at >= text.length) {
      throw new ScanStop('truncated', at, 'the text ends inside a string');
    } else {
      at += 1;
    }
  }
  const end = at + 1;
  // The literal is known to be valid here, so the engine's own decoder gives exactly its value.
  const value: string = escaped ? JSON.parse(text.slice(start, end)) : text.slice(start + 1, at);
  return { value, end };
}

/** Offset after the escape at `at`; a surrogate pair counts as one escape. */
function skipEscape(text: string, at: number): number {
  const letter = text.charAt(at + 1);
  if (letter === '') throw new ScanStop('truncated', at, 'the text ends inside a string');
  if (letter !== 'u') {
    if (!SIMPLE_ESCAPES.includes(letter)) throw new ScanStop('syntax', at, 'an unknown escape stands in a string');
    return at + 2;
  }
  const unit = hexUnit(text, at);
  if (unit < 0xd800 || unit > 0xdfff) return at + 6;
  if (unit > 0xdbff || text.charCodeAt(at + 6) !== BACKSLASH || text.charAt(at + 7) !== 'u') throw lone(at, unit);
  if (!isLow(hexUnit(text, at + 6))) throw lone(at, unit);
  return at + 12;
}

function hexUnit(text: string, at: number): number {
  let unit = 0;
  for (let digit = at + 2; digit < at + 6; digit++) {
    if (digit >= text.length) throw new ScanStop('truncated', at, 'the text ends inside a string');
    const value = Number.parseInt(text.charAt(digit), 16);
    if (Number.isNaN(value)) throw new ScanStop('syntax', at, 'a \\u escape needs four hexadecimal digits');
    unit = unit * 16 + value;
  }
  return unit;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

function lone(at: number, unit: number): ScanStop {
  return new ScanStop(
    'lone_surrogate',
    at,
    `a lone surrogate (U+${hex4(unit)}), which is no character, stands in a string`,
  );
}

function hex4(unit: number): string {
  return unit.toString(16).toUpperCase().padStart(4, '0');
}
