import type { JsonFaultCode } from './json-fault.js';

/** Thrown inside the scanner only; `scanJson` turns it into a fault with its path and place. */
export class ScanStop extends Error {
  override readonly name = 'ScanStop';
  readonly code: JsonFaultCode;
  /** UTF-16 offset. */
  readonly at: number;
  constructor(code: JsonFaultCode, at: number, words: string) {
    super(words);
    this.code = code;
    this.at = at;
  }
}
