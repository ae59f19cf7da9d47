import { basename } from 'node:path';
import { accepted, refused } from '../../shared/refusal.js';
import type { Handlers } from '../answering.js';
import { eachHistory } from '../checkpoints/history.js';
import { historyText, writeWhole } from '../keep/export-history.js';
import { importBackup } from '../keep/import-backup.js';
import { type BackupCount, makeBackup } from '../keep/make-backup.js';
import { listAll } from '../listing.js';
import { lookAt } from '../store/audit.js';
import { guarded } from '../store/refusal.js';
import type { Context } from './context.js';

type Keeping = Pick<Handlers, 'history:export' | 'backup:export' | 'backup:preview' | 'backup:import'>;

/** What is written outside the data folder, and brought back, at places that the person chose; no path comes from the page. */
export function keeping(context: Context): Keeping {
  const { store, ports, shell } = context;
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
        let count: BackupCount = { records: 0, payloads: 0, left: [] };
        const plan = { by: ports.process.name, madeAt, chosen: status === null ? null : chosen };
        const parts = makeBackup(lookAt(store.root), plan, (counted) => {
          count = counted;
        });
        const failed = await notWritten(path, () => writeWhole(path, parts, { replace: true }));
        return failed ?? accepted(count);
      }),
    'backup:preview': () =>
      guarded(async () => {
        const [path] = await shell.system.chooseFiles('Bring in a backup', 'one');
        if (path === undefined) return accepted(null);
        const planned = await bringIn(path, [], true);
        if (!planned.ok) return planned;
        looked = path;
        return accepted({ name: basename(path), rows: planned.value.rows });
      }),
    'backup:import': (update) =>
      guarded(async () => {
        if (looked === null) return refused('bad_request', 'Choose a backup first.');
        const done = await bringIn(looked, update, false);
        shell.broadcast('runs:changed');
        return done.ok ? accepted(done.value.rows) : done;
      }),
  };

  async function bringIn(path: string, update: readonly string[], dryRun: boolean) {
    const done = await importBackup(store, ports, path, { dryRun, update: new Set(update), by: ports.process.name });
    return done.ok ? accepted({ rows: done.value.rows }) : done;
  }
}

async function notWritten(path: string, act: () => Promise<void>) {
  try {
    await act();
    return null;
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    return refused('fault', `${path} cannot be written: ${error.message}. Nothing was exported.`);
  }
}
