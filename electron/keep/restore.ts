import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { accepted, type Outcome, refused } from '../../shared/refusal.js';
import { readBackup } from './read-backup.js';
import { isSidePlace } from './side-files.js';
import { syncTree, writeSynced } from './synced-files.js';

export interface Restored {
  folder: string;
  records: number;
  payloads: number;
  files: number;
  /** Files of the backup whose name is none that may be written. */
  left: string[];
}

/**
 * Lays a backup out as a data folder of its own, byte for byte. It keeps the home of the store that it was made of, so it
 * opens read-only until a person takes it over by name (H16). STORE.json comes last: a restore that was cut is no store.
 */
export async function restore(path: string, folder: string): Promise<Outcome<Restored>> {
  const found = existsSync(folder) ? readdirSync(folder) : null;
  if (found !== null && found.length > 0)
    return refused(
      'bad_request',
      `${folder} is not empty. Name a new folder; nothing is ever restored over another store.`,
    );
  // All of it is checked before anything is written.
  const checked = await readBackup(path, {});
  if (!checked.ok) return checked;
  const store = join(folder, 'store');
  for (const one of [folder, store, ...['k', 'p', 'tmp', 'idx'].map((name) => join(store, name))])
    mkdirSync(one, { recursive: true, mode: 0o700 });
  let records = 0;
  let payloads = 0;
  let files = 0;
  const left: string[] = [];
  const written = await readBackup(path, {
    record: ({ file, line, body }) => {
      writeSynced(join(store, ...file.split('/')), Buffer.concat([Buffer.from(`${line}\n`, 'utf8'), body]));
      records++;
    },
    payload: (sha256, bytes) => {
      writeSynced(join(store, 'p', sha256.slice(0, 2), sha256), bytes);
      payloads++;
    },
    file: (file, bytes) => {
      if (!isSidePlace(file)) left.push(file);
      else {
        writeSynced(join(folder, ...file.split('/')), bytes);
        files++;
      }
    },
  });
  if (!written.ok) return written;
  syncTree(store);
  writeSynced(join(store, 'STORE.json'), Buffer.from(written.value.store, 'utf8'));
  syncTree(folder);
  return accepted({ folder, records, payloads, files, left });
}
