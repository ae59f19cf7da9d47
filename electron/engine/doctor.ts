import { constants, type Stats } from 'node:fs';
import { access, lstat, readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { DataFolder } from '../data-folder.js';
import { thisProcess } from '../identity.js';
import { isUnfinished } from '../inbox/listing.js';
import { lives, ownerOf } from '../owner.js';
import { listRefused } from '../refused.js';
import { readSettings } from '../settings-file.js';
import { lookAt } from '../store/audit.js';
import { staleTemps } from '../store/temps.js';
import { examineStore } from './doctor-store.js';
import type { DoctorReport, Finding } from './finding.js';
import { isStoreHere } from './store-here.js';

/** Looks at everything in a data folder, and changes nothing in it. */
export async function examine(folder: DataFolder): Promise<DoctorReport> {
  const findings: Finding[] = [];
  findings.push(...(await examineFolder(folder)));
  const { warning } = readSettings(folder.settings);
  findings.push({
    level: warning ? 'warning' : 'ok',
    what: 'settings',
    text: warning ?? 'They can be read, or there are none yet.',
  });
  findings.push(await examineOwner(folder));
  findings.push(...(await examineStore(folder.store)));
  findings.push(await examineRefused(folder));
  findings.push(await examineInbox(folder));
  findings.push(...(await examineLeftovers(folder)));
  const ok = findings.every((finding) => finding.level !== 'problem');
  return { ok, dataFolder: { path: folder.path, said: folder.said }, findings };
}

async function examineFolder(folder: DataFolder): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [what, path] of [
    ['data folder', folder.path],
    ['store', folder.store],
    ['inbox', folder.inbox],
    ['refused', folder.refused],
  ] as const) {
    const found = await stat(path).catch((error: unknown) =>
      error instanceof Error ? error : new Error(String(error)),
    );
    if (found instanceof Error)
      findings.push({
        level: what === 'data folder' ? 'problem' : 'warning',
        what,
        text: `${path}: ${found.message}.`,
      });
    else if (!found.isDirectory()) findings.push({ level: 'problem', what, text: `${path} is not a folder.` });
    else findings.push(await examineRights(what, path, found));
  }
  return findings;
}

async function examineRights(what: string, path: string, found: Stats): Promise<Finding> {
  const writable = await access(path, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  if (!writable) return { level: 'problem', what, text: `This user may not read and write ${path}.` };
  const mode = found.mode & 0o777;
  if (process.platform !== 'win32' && (mode & 0o077) !== 0)
    return {
      level: 'warning',
      what,
      text: `Others on this machine may use ${path} (mode 0${mode.toString(8)}); 0700 keeps it private.`,
    };
  return { level: 'ok', what, text: path };
}

async function examineOwner(folder: DataFolder): Promise<Finding> {
  const what = 'window';
  const owner = await ownerOf(folder.path).catch(() => null);
  if (owner === null) return { level: 'ok', what, text: 'No window is open on this folder.' };
  const who = `process ${owner.pid} on ${owner.host}, since ${owner.startedAt}`;
  switch (lives(owner, thisProcess(''))) {
    case 'yes':
      return { level: 'ok', what, text: `A window is open: ${who}.` };
    case 'no':
      return { level: 'warning', what, text: `A window ended without saying so (${who}); the next one takes over.` };
    case 'unknown':
      return {
        level: 'warning',
        what,
        text: `The window on record belongs to another machine (${who}); nobody here can tell whether it lives.`,
      };
  }
}

async function examineRefused(folder: DataFolder): Promise<Finding> {
  const what = 'refused files';
  try {
    const files = await listRefused(folder.path);
    if (files.length === 0) return { level: 'ok', what, text: 'None.' };
    return {
      level: 'warning',
      what,
      text: `${files.length}: ${files.map((one) => `${one.originalName} (${one.reason.code})`).join(', ')}.`,
    };
  } catch (error) {
    return {
      level: 'problem',
      what,
      text: `They cannot be listed: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}

async function examineInbox(folder: DataFolder): Promise<Finding> {
  const what = 'waiting in the inbox';
  const names = (await readdir(folder.inbox).catch(() => [])).filter((name) => !isUnfinished(name));
  const files: string[] = [];
  for (const name of names) {
    const found = await lstat(join(folder.inbox, name)).catch(() => null);
    if (found && !found.isDirectory()) files.push(name);
  }
  if (files.length === 0) return { level: 'ok', what, text: 'Nothing.' };
  return {
    level: 'warning',
    what,
    text: `${files.length} that no window has taken yet: ${files.slice(0, 20).join(', ')}.`,
  };
}

async function examineLeftovers(folder: DataFolder): Promise<Finding[]> {
  const what = 'leftovers of interrupted writes';
  const findings: Finding[] = [];
  const stale = new Set(await staleIn(folder));
  for (const place of [folder.path, folder.refused, join(folder.store, 'tmp')]) {
    const names = (await readdir(place).catch(() => [])).filter(
      (name) => place.endsWith('tmp') || name.endsWith('.tmp'),
    );
    for (const name of names) {
      const old = place.endsWith('tmp') && stale.has(name);
      findings.push({
        level: 'warning',
        what,
        text: 'It was never finished, and nothing reads it.',
        file: relative(folder.path, join(place, name)),
        advice: old ? '"doctor --mend" removes it.' : 'Its writer may still be at it; what is left of it goes in time.',
        ...(old ? { mend: 'temps' as const } : {}),
      });
    }
  }
  return findings.length > 0 ? findings : [{ level: 'ok', what, text: 'None.' }];
}

async function staleIn(folder: DataFolder): Promise<string[]> {
  try {
    return (await isStoreHere(folder.store)) ? staleTemps(lookAt(folder.store).volume) : [];
  } catch {
    return []; // The store says itself what is wrong with it.
  }
}
