import { ScanStop } from './json-scan-stop.js';

const isDigit = (unit: number): boolean => unit >= 0x30 && unit <= 0x39;

function skipDigits(text: string, from: number): number {
  let at = from;
  while (isDigit(text.charCodeAt(at))) at += 1;
  if (at > from) return at;
  if (at >= text.length) throw new ScanStop('truncated', at, 'the text ends inside a number');
  throw new ScanStop('syntax', at, 'a digit is missing in a number');
}

/**
 * End of the number at `start`. It is kept as written; one whose nearest double is infinite is refused (J7: `1e400`),
 * while an integer too long for a double is not: its text is exact.
 */
export function scanNumber(text: string, start: number): number {
  let at = text.charAt(start) === '-' ? start + 1 : start;
  if (text.charAt(at) === '0') {
    at += 1;
    if (isDigit(text.charCodeAt(at))) throw new ScanStop('syntax', start, 'a number begins with a superfluous zero');
  } else {
    at = skipDigits(text, at);
  }
  if (text.charAt(at) === '.') at = skipDigits(text, at + 1);
  const mark = text.charAt(at);
  if (mark === 'e' || mark === 'E') {
    const sign = text.charAt(at + 1);
    at = skipDigits(text, sign === '+' || sign === '-' ? at + 2 : at + 1);
  }
  // Only an exponent or more than 308 digits can leave the range of a double.
  if ((at - start > 300 || mark === 'e' || mark === 'E') && !Number.isFinite(Number(text.slice(start, at)))) {
    throw new ScanStop('number_overflow', start, 'a number is out of range: no reader can hold it');
  }
  return at;
}
