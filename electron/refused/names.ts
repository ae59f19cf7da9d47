import { createHash } from 'node:crypto';

/** Device names that Windows gives no file, whatever stands behind a dot. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)$/i;
const LONGEST_STEM = 80;

/** The ending of the file that says why; no kept file ends so, because its digest stands before its extension. */
export const REASON_ENDING = '.reason.json';
const REFUSED = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,160}$/;

/**
 * The name under which something refused is kept: the readable part of the name it came with, and a digest of what it
 * is, so that two things never share a name and the same thing always gets the same one (I11).
 */
export function refusedName(originalName: string, digest: string): string {
  const dot = originalName.lastIndexOf('.');
  const extension = dot > 0 ? /^[A-Za-z0-9]{1,10}$/.exec(originalName.slice(dot + 1))?.[0] : undefined;
  const stem = extension === undefined ? originalName : originalName.slice(0, dot);
  const plain = stem
    .replace(/[^A-Za-z0-9_-]+/g, '_')
    .replace(/^[_-]+/, '')
    .slice(0, LONGEST_STEM);
  const safe = plain === '' || DEVICE.test(plain) ? `file${plain === '' ? '' : `-${plain}`}` : plain;
  return `${safe}-${digest}${extension === undefined ? '' : `.${extension}`}`;
}

/** 32 hex digits. */
export function shortDigest(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 32);
}

/** The digest in a name of `refusedName`, or null. */
export function digestIn(file: string): string | null {
  return /-([0-9a-f]{32})(\.[A-Za-z0-9]{1,10})?$/.exec(file)?.[1] ?? null;
}

/** True for names that stay inside one folder on every system. */
export function isPlainName(file: string): boolean {
  return REFUSED.test(file) && !file.includes('..');
}
