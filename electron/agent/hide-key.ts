/** Shorter keys are words like "none" and would be cut out of ordinary sentences. */
const SHORTEST = 4;
const HIDDEN = '[key hidden]';
const BEARER = /\bBearer(?:\s|%20|\+|\\[nrt])+[^\s"'`<>,;\\]+/gi;

/** Takes an endpoint's key out of a text. */
export type HideKey = (text: string) => string;

/**
 * For texts that come from an endpoint and go into a journal or a window: some endpoints repeat the request's headers
 * in their errors. Hides the key as it is, in JSON, percent, hex and base64 form, and whatever follows "Bearer".
 * Apply it before a text is cut, so that no part of a key is left over.
 */
export function makeHideKey(key: string | null): HideKey {
  const plain = key?.trim() ?? '';
  const forms = plain.length < SHORTEST ? [] : [...new Set(formsOf(plain))].sort((a, b) => b.length - a.length);
  const all = forms.map((form) => form.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&'));
  const known = all.length === 0 ? null : new RegExp(all.join('|'), 'gi');
  return (text) => (known === null ? text : text.replace(known, HIDDEN)).replace(BEARER, `Bearer ${HIDDEN}`);
}

function formsOf(key: string): string[] {
  const base64 = [0, 1, 2].map((before) => base64Within(key, before)).filter((form) => form.length >= SHORTEST);
  const url = base64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'));
  const percent = encodeURIComponent(Buffer.from(key).toString('utf8'));
  return [key, JSON.stringify(key).slice(1, -1), percent, Buffer.from(key).toString('hex'), ...base64, ...url];
}

/** The characters of a base64 text that stand for the key alone when `before` bytes modulo 3 come in front of it. */
function base64Within(key: string, before: number): string {
  const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(key)]);
  return bytes.toString('base64').slice(Math.ceil((before * 4) / 3), Math.floor((bytes.length * 4) / 3));
}
