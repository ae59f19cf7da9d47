import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { type Attached, MAX_ATTACHED_BYTES, tooLargeToAttach } from '../shared/draft.js';
import { accepted, type Outcome, refused } from '../shared/refusal.js';
import { decodeUtf8 } from '../shared/utf8.js';

/** What a file holds as the text of a result: strict UTF-8, nothing replaced, so that its digest names what is sent. */
export function attachedFrom(name: string, bytes: Uint8Array): Outcome<Attached> {
  if (bytes.length > MAX_ATTACHED_BYTES) return tooLargeToAttach(name, bytes.length);
  const decoded = decodeUtf8(bytes);
  if (!decoded.ok)
    return refused('bad_request', `${name} is no plain UTF-8 text, so it cannot be attached: ${decoded.fault.text}`);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return accepted({ name: name.slice(0, 255), size: bytes.length, sha256, text: decoded.text });
}

/** Reads a file that the person chose; only its last name leaves this process. */
export async function readAttached(path: string): Promise<Outcome<Attached>> {
  const name = basename(path);
  try {
    const found = await stat(path);
    if (!found.isFile()) return refused('bad_request', `${name} is not a file.`);
    // Before it is read: a file of any size may have been chosen.
    if (found.size > MAX_ATTACHED_BYTES) return tooLargeToAttach(name, found.size);
    return attachedFrom(name, await readFile(path));
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? 'unknown fault';
    return refused('bad_request', `${name} cannot be read (${code}).`);
  }
}
