import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { accepted, type Outcome, type Refusal, refused } from '../shared/refusal.js';
import { MAX_RECORD_BYTES } from './formats/read-record.js';
import { keepFile, makePrivate, syncFolder } from './refused/keep-file.js';
import { keptAs, noteKept } from './refused/kept-names.js';
import { isPlainName, REASON_ENDING, refusedName, shortDigest } from './refused/names.js';
import { keepReasons, reasonBeside } from './refused/read-reasons.js';
import { type About, type Reason, reasonOf } from './refused/reason.js';

/** One thing that was refused: listed with its reason, readable, and never removed by itself (I5). */
export interface RefusedFile {
  /** Its name in `refused/`; the handle for `readRefused`. */
  file: string;
  originalName: string;
  /** Bytes; null where there are none, or none here. */
  size: number | null;
  /** False when its bytes are not here: it still lies in the inbox, or was no file at all. */
  kept: boolean;
  reason: Reason;
}

/** Files looked at together while listing. */
const AT_ONCE = 64;

const folderOf = (dataFolder: string): string => join(dataFolder, 'refused');
const now = (): string => new Date().toISOString();

/**
 * Keeps the bytes of a refused record with the reason beside them, and returns the name it got. The same bytes are kept
 * once: then the name they got first is returned. Durable before it returns; throws the disk's error.
 */
export async function keepRefused(
  dataFolder: string,
  {
    name,
    bytes,
    refusal,
    source = null,
  }: { name: string; bytes: Uint8Array; refusal: Refusal; source?: string | null },
): Promise<string> {
  const digest = shortDigest(bytes);
  const known = await keptAs(folderOf(dataFolder), digest);
  if (known !== null) return known;
  const file = refusedName(name, digest);
  await writeReason(dataFolder, file, {
    originalName: name,
    source,
    size: bytes.length,
    left: null,
    refusal,
    at: now(),
  });
  await keepFile(join(folderOf(dataFolder), file), bytes);
  await noteKept(folderOf(dataFolder), file);
  return file;
}

/**
 * Moves a refused file here as it is, by its name alone: a writer that is not done yet goes on writing into it, and a
 * file of any size is moved without being read. `digest` names what it is. Throws the disk's error; EXDEV when the
 * inbox lies on another disk.
 */
export async function moveRefused(
  dataFolder: string,
  {
    path,
    name,
    digest,
    size,
    refusal,
    source,
  }: { path: string; name: string; digest: string; size: number; refusal: Refusal; source: string | null },
): Promise<string> {
  const known = await keptAs(folderOf(dataFolder), digest);
  const file = known ?? refusedName(name, digest);
  if (known !== null) {
    await rm(path);
    return file;
  }
  // The reason first: a crash in between leaves the file where it was, and the next look makes the same name of it.
  await writeReason(dataFolder, file, { originalName: name, source, size, left: null, refusal, at: now() });
  await rename(path, join(folderOf(dataFolder), file));
  await makePrivate(join(folderOf(dataFolder), file));
  await noteKept(folderOf(dataFolder), file);
  await syncFolder(folderOf(dataFolder));
  return file;
}

/** Says why something stays where it is, in a reason file alone. `left` is its path below the inbox. */
export async function noteRefused(
  dataFolder: string,
  {
    name,
    left,
    size,
    refusal,
    source,
  }: { name: string; left: string; size: number | null; refusal: Refusal; source: string | null },
): Promise<string> {
  const file = refusedName(name, shortDigest(`left in the inbox\0${left}`));
  await writeReason(dataFolder, file, { originalName: name, source, size, left, refusal, at: now() });
  return file;
}

/** Takes a note of `noteRefused` back: what it spoke of is gone from the inbox, or can be taken now. */
export async function dropNote(dataFolder: string, file: string): Promise<void> {
  if (isPlainName(file)) await rm(join(folderOf(dataFolder), `${file}${REASON_ENDING}`), { force: true });
}

/** A record that was kept aside as `unsettled` has been taken in since: its bytes are in the store, and go from here. */
export async function forgetUnsettled(dataFolder: string, bytes: Uint8Array): Promise<void> {
  const file = await keptAs(folderOf(dataFolder), shortDigest(bytes));
  if (file === null || (await reasonBeside(folderOf(dataFolder), file))?.code !== 'unsettled') return;
  await rm(join(folderOf(dataFolder), file), { force: true });
  await dropNote(dataFolder, file);
}

/** Everything that was refused, by name. What else lies in the folder is listed too, with what is wrong with it. */
export async function listRefused(dataFolder: string): Promise<RefusedFile[]> {
  const names = new Set(await namesIn(dataFolder));
  const files = new Set(
    [...names].map((name) => (name.endsWith(REASON_ENDING) ? name.slice(0, -REASON_ENDING.length) : name)),
  );
  keepReasons(folderOf(dataFolder), files);
  const listed = [...files].filter((file) => !file.startsWith('.')).sort();
  const found: RefusedFile[] = [];
  for (let at = 0; at < listed.length; at += AT_ONCE) {
    const some = listed.slice(at, at + AT_ONCE);
    found.push(
      ...(await Promise.all(
        some.map((file) => describe(dataFolder, file, names.has(file), names.has(`${file}${REASON_ENDING}`))),
      )),
    );
  }
  return found;
}

/** The bytes of one kept file. The name is one that `listRefused` gave; no other path can be reached with it (I11). */
export async function readRefused(dataFolder: string, file: string): Promise<Outcome<Uint8Array>> {
  if (!isPlainName(file) && !(await namesIn(dataFolder)).includes(file))
    return refused('bad_request', `There is no refused file ${JSON.stringify(file)}.`);
  if (/[/\\\0]/.test(file) || file === '..' || file === '.')
    return refused('bad_request', `${JSON.stringify(file)} is no file name.`);
  try {
    const handle = await open(
      join(folderOf(dataFolder), file),
      constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
    );
    try {
      const stat = await handle.stat();
      if (!stat.isFile()) return refused('unreadable', `${file} is no file.`);
      if (stat.size > MAX_RECORD_BYTES)
        return refused('too_large', `${file} has ${stat.size} bytes; at most ${MAX_RECORD_BYTES} are read.`);
      return accepted(new Uint8Array(await handle.readFile()));
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (codeOf(error) === 'ENOENT')
      return refused('not_found', `${file} is not kept here: its bytes stayed where they were.`);
    return refused('unreadable', `${file} cannot be read (${codeOf(error)}).`);
  }
}

async function describe(dataFolder: string, file: string, hasFile: boolean, hasReason: boolean): Promise<RefusedFile> {
  const told = hasReason ? await reasonBeside(folderOf(dataFolder), file) : null;
  const stat = hasFile ? await lstat(join(folderOf(dataFolder), file)).catch(() => null) : null;
  const kept = stat?.isFile() ?? false;
  const originalName = told?.originalName ?? file;
  const size = kept && stat ? stat.size : (told?.size ?? null);
  const wrong =
    hasFile && !kept
      ? 'it is no file'
      : hasReason
        ? 'the reason beside it cannot be read'
        : 'nothing says why it lies here';
  const reason: Reason = told ?? {
    v: 1,
    code: 'unreadable',
    path: '',
    line: null,
    column: null,
    offset: null,
    text: `${file} lies in the folder of refused files; ${wrong}.`,
    at: stat ? stat.mtime.toISOString() : now(),
    originalName,
    source: null,
    size,
    left: null,
  };
  return { file, originalName, size, kept, reason };
}

async function writeReason(dataFolder: string, file: string, about: About): Promise<void> {
  await mkdir(folderOf(dataFolder), { recursive: true, mode: 0o700 });
  await keepFile(
    join(folderOf(dataFolder), `${file}${REASON_ENDING}`),
    `${JSON.stringify(reasonOf(about), null, 2)}\n`,
  );
}

async function namesIn(dataFolder: string): Promise<string[]> {
  try {
    return await readdir(folderOf(dataFolder));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
