import { type FileHandle, open } from 'node:fs/promises';
import type { ReadRefusal } from '../../shared/checkpoint.js';
import { accepted, type Outcome, refused } from '../../shared/refusal.js';
import { decodeUtf8 } from '../../shared/utf8.js';
import { MAX_RECORD_BYTES } from '../formats/read-record.js';

const CHUNK = 1024 * 1024;

/**
 * The bytes of a named file, or of the standard input for `-`. A folder, a file without rights, one that is not there and
 * one beyond 64 MiB are refused like a record that cannot be read. A pipe that somebody names is read to its end.
 */
export async function readInput(name: string, stdin: NodeJS.ReadableStream): Promise<Outcome<Uint8Array>> {
  return name === '-' ? readStream(stdin) : readNamed(name);
}

/** The same as text; refused unless it is UTF-8, since nothing of an answer may be replaced in silence. */
export async function readText(name: string, stdin: NodeJS.ReadableStream): Promise<Outcome<string>> {
  const bytes = await readInput(name, stdin);
  if (!bytes.ok) return bytes;
  const text = decodeUtf8(bytes.value);
  return text.ok ? accepted(text.text) : unreadable(text.fault.code, `${name}: ${text.fault.text}`);
}

async function readStream(stdin: NodeJS.ReadableStream): Promise<Outcome<Uint8Array>> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of stdin) {
    const bytes = typeof part === 'string' ? Buffer.from(part, 'utf8') : Buffer.from(part);
    size += bytes.length;
    if (size > MAX_RECORD_BYTES) return tooLarge('the standard input', `more than ${MAX_RECORD_BYTES}`);
    parts.push(bytes);
  }
  return accepted(new Uint8Array(Buffer.concat(parts)));
}

async function readNamed(name: string): Promise<Outcome<Uint8Array>> {
  let file: FileHandle;
  try {
    file = await open(name, 'r');
  } catch (error) {
    return unreadable('not_readable', `${name} cannot be read: ${wordsFor(error)}.`);
  }
  try {
    const stat = await file.stat();
    if (stat.isDirectory())
      return unreadable('not_a_file', `${name} is a folder and not a record, whatever its name says.`);
    if (stat.size > MAX_RECORD_BYTES) return tooLarge(name, String(stat.size));
    return await readAll(name, file);
  } catch (error) {
    return unreadable('not_readable', `${name} cannot be read: ${wordsFor(error)}.`);
  } finally {
    await file.close();
  }
}

async function readAll(name: string, file: FileHandle): Promise<Outcome<Uint8Array>> {
  const parts: Buffer[] = [];
  let size = 0;
  for (;;) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(CHUNK), 0, CHUNK, null);
    if (bytesRead === 0) return accepted(new Uint8Array(Buffer.concat(parts)));
    size += bytesRead;
    if (size > MAX_RECORD_BYTES) return tooLarge(name, `more than ${MAX_RECORD_BYTES}`);
    parts.push(buffer.subarray(0, bytesRead));
  }
}

function tooLarge(name: string, size: string): Outcome<never> {
  const text = `${name} has ${size} bytes; a record has at most ${MAX_RECORD_BYTES}.`;
  return refused('too_large', text, { read: readRefusal('too_large', text) });
}

function unreadable(code: string, text: string): Outcome<never> {
  return refused('unreadable', text, { read: readRefusal(code, text) });
}

function readRefusal(code: string, text: string): ReadRefusal {
  return { code, path: '', offset: null, line: null, column: null, text };
}

function wordsFor(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  if (code === 'ENOENT') return 'there is no such file';
  if (code === 'EACCES' || code === 'EPERM') return `there is no right to it (${code})`;
  if (code === 'EISDIR') return 'it is a folder and not a record';
  return `the disk reported ${code}`;
}
