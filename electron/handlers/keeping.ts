import { basename } from 'node:path';
import { accepted, refused } from '../../shared/refusal.js';
import type { Handlers } from '../answering.js';
import { eachHistory } from '../checkpoints/history.js';
import { historyText, writeWhole } from '../keep/export-history.js';
import { importBackup } from '../keep/import-backup.js';
import type { Side } from '../keep/import-side.js';
import { type BackupCount, makeBackup } from '../keep/make-backup.js';
import { Stopped, stoppedRefusal, type UnderWay } from '../keep/under-way.js';
import { listAll } from '../listing.js';
import { lookAt } from '../store/audit.js';
import { guarded } from '../store/refusal.js';
import type { Context } from './context.js';
import type { LongActs } from './under-way.js';

type Keeping = Pick<Handlers, 'history:export' | 'backup:export' | 'backup:preview' | 'backup:import'>;

/** What is written outside the data folder, and brought back, at places that the person chose; no path comes from the page. */
export function keeping(context: Context, long: LongActs, saveSettings: Side['save']): Keeping {
  const { store, ports, shell } = context;
  const side: Side = { dataFolder: context.dataFolder, settings: () => context.settings.get(), save: saveSettings };
  /** The backup that was looked at last. */
  let looked: string | null = null;
  return {
    'history:export': (filter, format) =>
      guarded(async () => {
        const path = await shell.system.choosePlace('Export the history', `holdpoint-history.${format}`);
        if (path === null) return accepted(null);
        let events = 0;
        const parts = historyText(eachHistory(store), filter, format, (count) => {
          events = count;
        });
        const failed = await notWritten(path, () => writeWhole(path, parts, { replace: true }));
        return failed ?? accepted(events);
      }),
    'backup:export': (status) =>
      guarded(async () => {
        const madeAt = new Date().toISOString();
        const path = await shell.system.choosePlace('Back up', `holdpoint-${madeAt.slice(0, 10)}.backup`);
        if (path === null) return accepted(null);
        const rows = status === null ? [] : await listAll(store, ports, context.dataFolder, { ended: true });
        const chosen = new Set(
          rows.filter((row) => row.status === status && row.id.startsWith('s:')).map(({ id }) => id.slice(2)),
        );
        if (status !== null && chosen.size === 0) return refused('not_found', 'No run stands so.');
        return long.run<BackupCount | null>('backup', async (way) => {
          let count: BackupCount = { records: 0, payloads: 0, files: 0, left: [] };
          const { dataFolder } = context;
          const of = status === null ? null : chosen;
          const plan = { ...way, by: ports.process.name, madeAt, chosen: of, dataFolder };
          const parts = makeBackup(lookAt(store.root), plan, (counted) => {
            count = counted;
          });
          const failed = await notWritten(path, () => writeWhole(path, parts, { replace: true }));
          return failed ?? accepted<BackupCount | null>(count);
        });
      }),
    'backup:preview': () =>
      guarded(async () => {
        const [path] = await shell.system.chooseFiles('Bring in a backup', 'one');
        if (path === undefined) return accepted(null);
        const planned = await long.run('preview', (way) => bringIn(path, [], true, way));
        if (!planned.ok) return planned;
        looked = path;
        return accepted({ name: basename(path), rows: planned.value.rows });
      }),
    'backup:import': (update) =>
      guarded(async () => {
        const path = looked;
        if (path === null) return refused('bad_request', 'Choose a backup first.');
        const done = await long.run('import', (way) => bringIn(path, update, false, way));
        shell.broadcast('runs:changed');
        return done.ok ? accepted(done.value.rows) : done;
      }),
  };

  async function bringIn(path: string, update: readonly string[], dryRun: boolean, way: UnderWay) {
    const options = { ...way, dryRun, update: new Set(update), by: ports.process.name, side };
    const done = await importBackup(store, ports, path, options);
    return done.ok ? accepted({ rows: done.value.rows }) : done;
  }
}

async function notWritten(path: string, act: () => Promise<void>) {
  try {
    await act();
    return null;
  } catch (error) {
    if (error instanceof Stopped) return stoppedRefusal('Stopped. Nothing was written.');
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    return refused('fault', `${path} cannot be written: ${error.message}. Nothing was exported.`);
  }
}
