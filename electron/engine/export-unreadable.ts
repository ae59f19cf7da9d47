import { copyFileSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { accepted, type Outcome, refused } from '../../shared/refusal.js';
import type { DataFolder } from '../data-folder.js';
import type { Finding } from './finding.js';

export interface Exported {
  folder: string;
  files: { from: string; to: string | null; reason: string }[];
}

/**
 * Copies what cannot be read out of the data folder, byte for byte, into a folder that is new or empty, with
 * `reasons.json` beside it. What cannot even be copied is named there with `to` null.
 */
export function exportUnreadable(data: DataFolder, findings: readonly Finding[], folder: string): Outcome<Exported> {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    const names = code === 'EEXIST' ? readdirSync(folder) : null;
    if (names === null) return refused('bad_request', `${folder} cannot be made: ${code}.`);
    if (names.length > 0) return refused('bad_request', `${folder} is not empty. Name a new folder.`);
  }
  const files = findings.flatMap(({ file, text }, at) => {
    if (file === undefined) return [];
    const to = `${String(at + 1).padStart(4, '0')}-${basename(file).replace(/[^\w.%-]/g, '_')}`;
    const failed = copy(join(data.path, file), join(folder, to));
    return [
      { from: file, to: failed === null ? to : null, reason: failed === null ? text : `${text} Not copied: ${failed}` },
    ];
  });
  writeFileSync(join(folder, 'reasons.json'), `${JSON.stringify({ v: 1, dataFolder: data.path, files }, null, 2)}\n`, {
    flag: 'wx',
    mode: 0o600,
  });
  return accepted({ folder, files });
}

/** Null when it was copied. A link or a pipe is never followed or opened. */
function copy(from: string, to: string): string | null {
  try {
    const found = lstatSync(from);
    if (!found.isFile()) return found.isDirectory() ? 'it is a folder' : 'it is not a plain file';
    copyFileSync(from, to);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
