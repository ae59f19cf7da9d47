import { CasConflict, CasIndeterminate, StoreCorrupt, StoreFault, StoreFull, StoreReadOnly } from './contract.js';
import type { Disk } from './disk.js';

/** The errno name of an error, or '' when it has none. */
export function errorCode(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
}

const SPACE = new Set(['ENOSPC', 'EDQUOT']);
const HANDLES = new Set(['EMFILE', 'ENFILE']);
const RIGHTS = new Set(['EROFS', 'EACCES', 'EPERM']);

/** True for a full disk or quota: the one fault that giving up the ballast can help. */
export function isOutOfSpace(error: unknown): boolean {
  return error instanceof StoreFull && SPACE.has(errorCode(error.cause));
}

/** True when the process has no file handle left: that says nothing about the file that was to be opened. */
export function isOutOfHandles(error: unknown): boolean {
  return HANDLES.has(errorCode(error));
}

function isTyped(error: unknown): error is Error {
  return [CasConflict, CasIndeterminate, StoreCorrupt, StoreFault, StoreFull, StoreReadOnly].some(
    (type) => error instanceof type,
  );
}

/** A write's error as the contract types it; the text names the act and the file. */
export function writeFault(error: unknown, act: string, file: string): Error {
  if (isTyped(error)) return error;
  const code = errorCode(error);
  const says = (why: string) => `Could not ${act} ${file}: ${why}.`;
  if (SPACE.has(code)) return new StoreFull(says(`the disk has no space left (${code})`), { cause: error });
  if (HANDLES.has(code)) {
    return new StoreFull(says(`too many files are open in this process or system (${code})`), { cause: error });
  }
  if (code === 'EROFS') return new StoreReadOnly(says('the folder is read-only (EROFS)'), { cause: error });
  if (RIGHTS.has(code)) return new StoreReadOnly(says(`no rights to write there (${code})`), { cause: error });
  if (code === 'EBUSY') return new StoreFault(says('it is in use by another program (EBUSY)'), { cause: error });
  return new StoreFault(says(code === '' ? String(error) : `the disk reported ${code}`), { cause: error });
}

/** A read's error as the contract types it: what cannot be read is corrupt to the caller, never absent (I5). */
export function readFault(error: unknown, act: string, file: string): Error {
  if (isTyped(error)) return error;
  if (isOutOfHandles(error)) return writeFault(error, act, file);
  return new StoreCorrupt(`Could not ${act} ${file}: ${whyUnreadable(error)}.`, { cause: error });
}

/** Why a file could not be read, in words. */
export function whyUnreadable(error: unknown): string {
  const code = errorCode(error);
  if (code === 'EACCES' || code === 'EPERM') return `no rights to read it (${code})`;
  if (code === 'EBUSY') return 'it is in use by another program (EBUSY)';
  if (code === 'ELOOP' || code === 'EMLINK') return `it is a symbolic link (${code})`;
  return code === '' ? String(error) : `the disk reported ${code}`;
}

/** Runs one act on a file and types its error. */
export function writing<T>(act: string, file: string, call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw writeFault(error, act, file);
  }
}

/** Asks the disk about a file and types its error; absence stays what it is. */
export function asking<T>(file: string, call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw errorCode(error) === 'ENOENT' ? error : readFault(error, 'look at', file);
  }
}

/** Closes what was only read, or is synced already: an error of the close says nothing about it any more. */
export function closeQuietly(disk: Pick<Disk, 'close'>, fd: number): void {
  attempt(() => disk.close(fd));
}

/** Runs something whose failure changes nothing, and returns the error, if any. */
export function attempt(call: () => void): unknown {
  try {
    call();
    return null;
  } catch (error) {
    return error;
  }
}
