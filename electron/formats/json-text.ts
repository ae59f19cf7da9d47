import { readJsonText } from '../../shared/json.js';

/** A text as JSON. A lone surrogate, which a model can produce but no record may hold, becomes U+FFFD. */
export function jsonText(text: string): string {
  return JSON.stringify(text.replace(/\p{Cs}/gu, '\ufffd'));
}

/** A list of values that are JSON already, in the compact form (J1). */
export function jsonList(items: readonly string[]): string {
  return `[${items.join(',')}]`;
}

/** An object in the compact form, in the order given; the values are JSON already (J1, J2). */
export function jsonObject(fields: readonly (readonly [key: string, value: string])[]): string {
  return `{${fields.map(([key, value]) => `${jsonText(key)}:${value}`).join(',')}}`;
}

/** Is this text JSON that a strict reader still takes `levels` deep in a record (J7: 127 for the whole)? */
export function fitsInRecord(written: string, levels: number): boolean {
  return readJsonText(written).ok && readJsonText(`${'['.repeat(levels)}${written}${']'.repeat(levels)}`).ok;
}
