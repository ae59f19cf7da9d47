/** Shorter texts are as likely words. */
const SHORTEST = 40;
/** Longer ones are told by their beginning. */
const LONGEST = 8 * 1024 * 1024;
/** The type of a file is in its first bytes. */
const HEAD_BYTES = 4_104;

export interface Encoded {
  /** What a `data:` address says its content is; null for a bare text. */
  declared: string | null;
  /** The base64 letters alone, in the common alphabet. */
  letters: string;
  /** How many bytes the whole stands for. */
  bytes: number;
  /** False: only the beginning of a very long text is here. */
  isWhole: boolean;
}

/** Reads a text that is base64 as a whole, or a `data:` address that holds some; null for any other text. */
export function encodedOf(text: string): Encoded | null {
  const head = /^data:([^,;]*(?:;[^,;]*)*?);base64,/i.exec(text.slice(0, 300));
  const rest = head ? text.slice(head[0].length) : text;
  if (!head && (rest.length < SHORTEST || !/[0-9+/_=-]/.test(rest))) return null;
  if (rest.length > LONGEST) return longOf(head, rest);
  if (!/^[A-Za-z0-9+/_\r\n-]*={0,2}\s*$/.test(rest)) return null;
  const letters = rest.replace(/\s+/g, '').replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '');
  if (letters.length % 4 === 1) return null;
  // A word, a number, a hexadecimal digest or a path of letters is base64 by chance only.
  if (!head && (/^[0-9a-f]+$/i.test(letters) || !/[a-z]/.test(letters) || !/[A-Z]/.test(letters))) return null;
  return {
    declared: head ? (head[1] ?? '') : null,
    letters,
    bytes: Math.floor((letters.length * 3) / 4),
    isWhole: true,
  };
}

/** Of a very long text the beginning is looked at, which is where its type is; the rest is not decoded. */
function longOf(head: RegExpExecArray | null, rest: string): Encoded | null {
  const found = encodedOf(`${head?.[0] ?? ''}${rest.slice(0, 64 * 1024)}`);
  return found && { ...found, bytes: Math.floor((rest.length * 3) / 4), isWhole: false };
}

/** The first bytes, or all of them. */
export function decodeHead({ letters }: Encoded, most = HEAD_BYTES): Uint8Array<ArrayBuffer> {
  const part = letters.slice(0, Math.ceil(most / 3) * 4);
  const binary = atob(part);
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

/** The bytes as text, when they are UTF-8 without control characters; else null. */
export function textIn(bytes: Uint8Array, isCut: boolean): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: isCut });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: binary content is told by them
    return /[\x00-\x08\x0e-\x1a\x1c-\x1f]/.test(text) ? null : text;
  } catch {
    return null;
  }
}
