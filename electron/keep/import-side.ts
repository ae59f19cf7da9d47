import { lstatSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ImportAct, ImportRow, Relation } from '../../shared/import-row.js';
import { type Outcome, refused } from '../../shared/refusal.js';
import { Settings } from '../../shared/settings.js';
import { keepFile } from '../refused/keep-file.js';
import { noteKept } from '../refused/kept-names.js';
import { REASON_ENDING } from '../refused/names.js';
import { nodeDisk } from '../store/disk.js';
import { attempt, errorCode } from '../store/faults.js';
import { sha256Hex } from '../store/header.js';
import { readWhole } from '../store/read-whole.js';
import { isSidePlace, SETTINGS_FILE, settingsBytes, withSecretsOf } from './side-files.js';

/** The data folder that a backup's files beside the store are compared with, and come into. */
export interface Side {
  dataFolder: string;
  settings(): Settings;
  /** Saves settings, as the window does: what weakens safety is asked for. Null where nobody may write them. */
  save: ((next: Settings) => Promise<Outcome<unknown>>) | null;
}

/** The files of a backup beside the store: the sha256 of each. */
export type SideThere = Map<string, string>;

/** Says of each file of a backup beside the store what an import would do with it; changes nothing. */
export function planSide(side: Side, there: SideThere, named: ReadonlySet<string>): ImportRow[] {
  const rows: ImportRow[] = [];
  for (const [file, sha256] of [...there].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const what = file === SETTINGS_FILE ? 'settings' : file.startsWith('inbox/') ? 'inbox' : 'refused';
    const row = (relation: Relation, act: ImportAct, why: string, mayName = false) =>
      rows.push({ what, suspension: file, status: 'unknown', relation, act, why, mayName });
    if (!isSidePlace(file)) row('absent', 'stays_out', 'Its name is none that every system would keep.');
    else if (what === 'settings') planSettings(side, sha256, named.has(file), row);
    else {
      const here = shaOf(join(side.dataFolder, ...file.split('/')));
      if (here === sha256) row('equal', 'none', 'It is the same here.');
      else if (here !== null)
        row('diverged', 'stays_out', 'Another file has this name here. Neither replaces the other.');
      else if (what === 'inbox') row('absent', 'take_in', 'It waits in the inbox: it comes into the inbox here.');
      else if (!file.endsWith(REASON_ENDING)) row('absent', 'add', 'It was refused there: it is kept aside here, too.');
      else if (there.has(file.slice(0, -REASON_ENDING.length)))
        row('absent', 'add', 'It says why the file was refused.');
      else row('absent', 'stays_out', 'It speaks of something in the inbox there.');
    }
  }
  return rows;
}

function planSettings(
  { settings, save }: Side,
  sha256: string,
  isNamed: boolean,
  row: (relation: Relation, act: ImportAct, why: string, mayName?: boolean) => void,
): void {
  if (sha256Hex(settingsBytes(settings())) === sha256) row('equal', 'none', 'They are the same here.');
  else if (save === null)
    row('diverged', 'stays_out', 'They differ. Only the window changes settings: bring the backup in there.');
  else if (isNamed)
    row('diverged', 'update', 'You named them: they take the place of those here. Secrets stay as they are here.');
  else row('diverged', 'stays_out', 'They differ. Nothing here is changed unless you name them.', true);
}

/** Brings one file in, where its row says so. Returns a refusal of the settings, if there is one. */
export async function bringSide(
  side: Side,
  file: string,
  bytes: Uint8Array,
  act: ImportAct | undefined,
): Promise<Outcome<unknown> | null> {
  if (!isSidePlace(file)) return null;
  if (act === 'update' && file === SETTINGS_FILE && side.save !== null) {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    const next = typeof value === 'object' && value !== null && 'settings' in value ? value.settings : {};
    const parsed = Settings.safeParse(next);
    return parsed.success
      ? side.save(withSecretsOf(parsed.data, side.settings()))
      : refused(
          'bad_request',
          'These settings are not those of this version of Holdpoint; they stay as they are here.',
        );
  }
  if (act !== 'add' && act !== 'take_in') return null;
  const path = join(side.dataFolder, ...file.split('/'));
  // Something came to have its name meanwhile: that stays.
  if (shaOf(path) !== null) return null;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  await keepFile(path, bytes);
  if (act === 'add' && !file.endsWith(REASON_ENDING)) await noteKept(dirname(path), file.slice('refused/'.length));
  return null;
}

/** Null where nothing has the name; '' for what cannot be read, which is equal to nothing. */
function shaOf(path: string): string | null {
  let sha256: string | null = '';
  attempt(() => {
    if (lstatSync(path).isFile()) sha256 = sha256Hex(readWhole(nodeDisk, path));
  });
  if (sha256 !== '') return sha256;
  return errorCode(attempt(() => lstatSync(path))) === 'ENOENT' ? null : '';
}
