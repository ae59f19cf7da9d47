import { accessSync, constants, mkdirSync, readFileSync, renameSync, rmSync, type Stats, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { accepted, type Outcome, refused } from '../shared/refusal.js';
import { syncFolder, writeSynced } from './keep/synced-files.js';

/** Which rule named the data folder, strongest first (H11). */
export type FolderRule = 'option' | 'environment' | 'pointer' | 'default';

export interface Located {
  /** Absolute. */
  path: string;
  rule: FolderRule;
  /** The rule in words: `--data`, `HOLDPOINT_DATA`, the pointer file's path, or `the default`. */
  said: string;
}

/** The data folder with the places inside it. */
export interface DataFolder extends Located {
  store: string;
  inbox: string;
  refused: string;
  settings: string;
}

/** What the rules read; each part has the real one as its default. */
export interface Surroundings {
  env?: Readonly<Record<string, string | undefined>>;
  platform?: NodeJS.Platform;
  home?: string;
  cwd?: string;
}

const POINTER = 'data-folder';

/** Where Holdpoint's own configuration of this user lives: the pointer file, and the default data folder. */
export function configFolder({
  env = process.env,
  platform = process.platform,
  home = homedir(),
}: Surroundings = {}): string {
  if (platform === 'win32') return join(absoluteOr(env['APPDATA'], join(home, 'AppData', 'Roaming')), 'holdpoint');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'holdpoint');
  return join(absoluteOr(env['XDG_CONFIG_HOME'], join(home, '.config')), 'holdpoint');
}

const absoluteOr = (path: string | undefined, otherwise: string): string =>
  path !== undefined && isAbsolute(path) ? path : otherwise;

/**
 * Finds the data folder: `--data`, HOLDPOINT_DATA, the pointer file, the default (H11). A relative path of the first two
 * counts from the working folder; in the pointer file it is refused, since it would mean another folder everywhere.
 */
export function locateDataFolder(option: string | undefined, around: Surroundings = {}): Outcome<Located> {
  const { env = process.env, cwd = process.cwd() } = around;
  if (option !== undefined) return named(option, 'option', '--data', cwd);
  const variable = env['HOLDPOINT_DATA'];
  if (variable !== undefined && variable !== '') return named(variable, 'environment', 'HOLDPOINT_DATA', cwd);
  const config = configFolder(around);
  const pointer = join(config, POINTER);
  const text = readPointer(pointer);
  if (!text.ok) return text;
  if (text.value === null) return accepted({ path: join(config, 'data'), rule: 'default', said: 'the default' });
  if (text.value !== '' && !isAbsolute(text.value))
    return refused(
      'bad_request',
      `The pointer file ${pointer} must hold an absolute path; it holds ${JSON.stringify(text.value)}.`,
    );
  return named(text.value, 'pointer', pointer, cwd);
}

function named(path: string, rule: FolderRule, said: string, cwd: string): Outcome<Located> {
  if (path.trim() === '') return refused('bad_request', `${said} names no folder: it is empty.`);
  if (path.includes('\0')) return refused('bad_request', `${said} is no path: it holds a NUL.`);
  if (/^~($|[/\\])/.test(path))
    return refused(
      'bad_request',
      `${said} begins with "~", which only a shell replaces; give the whole path (${path}).`,
    );
  return accepted({ path: resolve(cwd, path), rule, said });
}

/** The path in the pointer file (its first line), or null when there is no such file. */
function readPointer(pointer: string): Outcome<string | null> {
  try {
    return accepted((readFileSync(pointer, 'utf8').split(/\r?\n/, 1)[0] ?? '').trim());
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return accepted(null);
    return refused('fault', `The pointer file ${pointer} cannot be read (${codeOf(error)}). Mend or remove it.`);
  }
}

/** Switches the pointer file to another data folder, as a whole; durable when it returns. Throws the disk's error. */
export function pointTo(path: string, around: Surroundings = {}): void {
  const config = configFolder(around);
  mkdirSync(config, { recursive: true, mode: 0o700 });
  const temp = join(config, `${POINTER}.${process.pid}.tmp`);
  rmSync(temp, { force: true });
  writeSynced(temp, Buffer.from(`${path}\n`, 'utf8'));
  renameSync(temp, join(config, POINTER));
  syncFolder(config);
}

/**
 * Opens a data folder: itself and the folders inside, with mode 0700. With `make` what is missing is made, but of a folder
 * that somebody named only the last part, so that a slip in the path makes no tree. Refused with words otherwise.
 */
export function openDataFolder(located: Located, { make }: { make: boolean }): Outcome<DataFolder> {
  // One that the pointer file names was there once: an empty one in its place would look as if everything were gone.
  const mayMake = make && located.rule !== 'pointer';
  if (make && !mayMake && !isThere(located.path))
    return refused(
      'not_found',
      `The data folder ${located.path} is not there; ${located.said} names it. If it is on a disk that is not connected, connect that and start again.`,
      { path: located.path },
    );
  const ready = ensureFolder(located.path, mayMake, located.rule === 'default', `the data folder (${located.said})`);
  if (!ready.ok) return ready;
  const inside = (name: string) => join(located.path, name);
  const folder: DataFolder = {
    ...located,
    store: inside('store'),
    inbox: inside('inbox'),
    refused: inside('refused'),
    settings: inside('settings.json'),
  };
  if (make)
    for (const name of ['store', 'inbox', 'refused'] as const) {
      const made = ensureFolder(folder[name], true, false, `the ${name} folder`);
      if (!made.ok) return made;
    }
  return accepted(folder);
}

function ensureFolder(path: string, make: boolean, recursive: boolean, what: string): Outcome<null> {
  try {
    const found = statOf(path);
    if (found === null && !make)
      return refused(
        'not_found',
        `There is no data folder at ${path} yet. The window makes it, and so does "holdpoint suspend".`,
        { path },
      );
    if (found === null) mkdirSync(path, { mode: 0o700, recursive });
    else if (!found.isDirectory())
      return refused('bad_request', `${path} is to be ${what}, but it is a file and not a folder.`, { path });
    accessSync(path, constants.R_OK | constants.X_OK);
    return accepted(null);
  } catch (error) {
    return refused('bad_request', `${path} cannot be used as ${what}: ${inWords(codeOf(error))}.`, {
      path,
      code: codeOf(error),
    });
  }
}

function isThere(path: string): boolean {
  try {
    return statOf(path) !== null;
  } catch {
    return true; // Whatever is wrong with it is told where it is looked at closely.
  }
}

function statOf(path: string): Stats | null {
  return statSync(path, { throwIfNoEntry: false }) ?? null;
}

function inWords(code: string): string {
  if (code === 'EACCES' || code === 'EPERM') return `no right to it (${code})`;
  if (code === 'ENOENT') return 'the folder it should be made in does not exist';
  if (code === 'ENOTDIR') return 'a part of its path is a file';
  if (code === 'EROFS') return 'the disk is read-only (EROFS)';
  if (code === 'ENOSPC') return 'the disk is full (ENOSPC)';
  return `the disk reported ${code}`;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
