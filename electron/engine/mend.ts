import { readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { DataFolder } from '../data-folder.js';
import { lives, ownerOf } from '../owner.js';
import { lookAt } from '../store/audit.js';
import { removeStale, staleTemps } from '../store/temps.js';
import { SNAPSHOTS } from '../store/volume.js';
import { examineChains } from './doctor-chains.js';
import { examinePayloads, Payloads } from './doctor-payloads.js';
import type { DoctorReport, Finding, Mend } from './finding.js';

export interface Mended {
  mend: Mend;
  /** Below the data folder. */
  file: string;
  /** Null when it was done; why it was not otherwise. */
  failed: string | null;
}

/** What a mend will do, for the person who asked; told before the first of it is done. */
export function plannedMends(report: DoctorReport): { mend: Mend; file: string }[] {
  const planned = report.findings.flatMap(({ mend, file }) => (mend && file ? [{ mend, file }] : []));
  return planned.filter(({ file }, at) => planned.findIndex((one) => one.file === file) === at);
}

/**
 * Does what was planned, and nothing that touches a record: each is looked at again right before, since others may have
 * written meanwhile. `told` is called before and after each act.
 */
export async function mendAll(
  folder: DataFolder,
  planned: readonly { mend: Mend; file: string }[],
  told: (act: { mend: Mend; file: string; done: Mended | null }) => Promise<void>,
): Promise<Mended[]> {
  const done: Mended[] = [];
  for (const act of planned) {
    await told({ ...act, done: null });
    const result: Mended = { ...act, failed: await tryTo(() => mendOne(folder, act)) };
    done.push(result);
    await told({ ...act, done: result });
  }
  return done;
}

async function mendOne(folder: DataFolder, { mend, file }: { mend: Mend; file: string }): Promise<void> {
  const audited = lookAt(folder.store);
  switch (mend) {
    case 'temps': {
      const name = basename(file);
      if (!staleTemps(audited.volume).includes(name)) throw new Error('it is not stale any more');
      return removeStale(audited.volume, name);
    }
    case 'index':
      for (const name of readdirSync(join(folder.store, SNAPSHOTS)))
        rmSync(join(folder.store, SNAPSHOTS, name), { recursive: true, force: true });
      return;
    case 'payloads': {
      const owner = await ownerOf(folder.path);
      if (owner !== null && lives(owner) !== 'no') throw new Error('a window is open on this folder; close it first');
      const payloads = new Payloads(audited);
      await examineChains(audited, payloads);
      const still = (await examinePayloads(audited, payloads)).some(
        (one) => one.file === file && one.mend === 'payloads',
      );
      if (!still) throw new Error('a record names it by now');
      return rmSync(join(folder.path, file));
    }
  }
}

async function tryTo(act: () => Promise<void>): Promise<string | null> {
  try {
    await act();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Files that cannot be read as what they are. */
export const unreadableIn = (report: DoctorReport): Finding[] =>
  report.findings.filter(({ unreadable, file }) => unreadable === true && file !== undefined);
