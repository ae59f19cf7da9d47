import { accepted, type Outcome, refused } from '../../shared/refusal.js';
import { STATUSES } from '../../shared/states.js';
import { compareTimes } from '../../shared/time.js';
import { locateDataFolder, openDataFolder } from '../data-folder.js';
import type { Engine } from '../engine.js';
import { writeWhole } from '../keep/export-history.js';
import { type BackupCount, makeBackup } from '../keep/make-backup.js';
import { lookAt } from '../store/audit.js';
import { guarded } from '../store/refusal.js';
import { type Call, type Command, maybeText, say, sayRefused, UsageError, withEngine } from './command.js';
import type { Exit } from './exit.js';
import { instant } from './history-filter.js';
import { oneLine } from './text.js';

export const backupCommand: Command = {
  name: 'backup',
  usage: `backup FILE [--run RUN] [--status STATUS] [--since TIME] [--until TIME]`,
  does: 'writes everything, or the runs that are named, to one file that is checked as a whole; replaces no file',
  takes: [1, 1],
  options: {
    run: { type: 'string' },
    status: { type: 'string' },
    since: { type: 'string' },
    until: { type: 'string' },
  },
  run: (call) => withEngine(call, (engine) => backup(call, engine)),
};

async function backup(call: Call, engine: Engine): Promise<Exit> {
  const chosen = await chosenBy(call, engine);
  if (!chosen.ok) return sayRefused(call, chosen.refusal);
  const located = locateDataFolder(call.data);
  const folder = located.ok ? openDataFolder(located.value, { make: false }) : located;
  if (!folder.ok) return sayRefused(call, folder.refusal);
  const [file = ''] = call.positionals;
  let count: BackupCount = { records: 0, payloads: 0, files: 0, left: [] };
  const written = await guarded(async () => {
    try {
      const plan = {
        by: 'the command line',
        madeAt: new Date().toISOString(),
        chosen: chosen.value,
        dataFolder: folder.value.path,
      };
      const parts = makeBackup(lookAt(folder.value.store), plan, (counted) => {
        count = counted;
      });
      await writeWhole(file, parts, { replace: false });
      return accepted({ file, ...count });
    } catch (error) {
      if (!(error instanceof Error && 'syscall' in error)) throw error;
      return refused('bad_request', `${file} cannot be written: ${error.message}. Nothing was backed up.`, { file });
    }
  });
  return say(call, written, ({ records, payloads, files, left }) =>
    [
      `${records} records, ${payloads} payloads and ${files} files beside them written to ${file}`,
      ...left.map((one) => `left out, it cannot be read: ${oneLine(one)}`),
    ].join('\n'),
  );
}

/** The suspensions that the options name; null for everything. */
async function chosenBy(call: Call, engine: Engine): Promise<Outcome<ReadonlySet<string> | null>> {
  const status = maybeText(call, 'status');
  if (status !== undefined && !STATUSES.some((one) => one === status))
    throw new UsageError(`--status takes one of ${STATUSES.join(', ')}; not ${JSON.stringify(status)}`);
  const [run, since, until] = [maybeText(call, 'run'), time(call, 'since'), time(call, 'until')];
  if ([run, status, since, until].every((one) => one === undefined)) return accepted(null);
  const rows = await engine.list({ ended: true });
  if (!rows.ok) return rows;
  const named = rows.value.filter(
    (row) =>
      row.id.startsWith('s:') &&
      (run === undefined || row.runId === run || row.threadId === run || row.id === `s:${run}`) &&
      (status === undefined || row.status === status) &&
      (since === undefined || (row.takenInAt !== null && compareTimes(row.takenInAt, since) >= 0)) &&
      (until === undefined || (row.takenInAt !== null && compareTimes(row.takenInAt, until) < 0)),
  );
  if (named.length === 0) return refused('not_found', 'No run is what you named.');
  return accepted(new Set(named.map(({ id }) => id.slice('s:'.length))));
}

function time(call: Call, name: string): string | undefined {
  const value = maybeText(call, name);
  return value === undefined ? undefined : instant(name, value);
}
