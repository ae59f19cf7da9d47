import { resolve } from 'node:path';
import type { ImportRow } from '../../shared/import-row.js';
import { restore } from '../keep/restore.js';
import { type Call, type Command, maybeText, say, UsageError, withEngine } from './command.js';
import type { Exit } from './exit.js';
import { oneLine, table } from './text.js';

export const importCommand: Command = {
  name: 'import',
  usage: 'import FILE [--dry-run] [--update RUN,…] | import FILE --into FOLDER',
  does: 'brings the runs of a backup in, and says of each how it stands to what is here; --dry-run only says it; --into lays all of it out as a data folder of its own, read-only until a person takes it over',
  takes: [1, 1],
  options: { 'dry-run': { type: 'boolean' }, update: { type: 'string' }, into: { type: 'string' } },
  run: (call) => {
    const into = maybeText(call, 'into');
    if (into === undefined) return bringIn(call);
    if (call.values['dry-run'] === true || call.values['update'] !== undefined)
      throw new UsageError('--into takes all of the backup as it is; leave --dry-run and --update out');
    return layOut(call, into);
  },
};

async function layOut(call: Call, into: string): Promise<Exit> {
  const [file = ''] = call.positionals;
  return say(
    call,
    await restore(file, resolve(into)),
    ({ folder, records, payloads, files, left }) =>
      `${left.map((one) => `left out, its name is none that every system would keep: ${oneLine(one)}\n`).join('')}${records} records, ${payloads} payloads and ${files} files beside them laid out in ${oneLine(folder)}. It is read-only until a person takes it over by name, in the settings of a window that is opened on it.`,
  );
}

function bringIn(call: Call): Promise<Exit> {
  const dryRun = call.values['dry-run'] === true;
  const update = (maybeText(call, 'update') ?? '').split(',').filter((name) => name !== '');
  const [file = ''] = call.positionals;
  return withEngine(
    call,
    async (engine) =>
      say(call, await engine.importBackup(file, { dryRun, update }), ({ rows }) => inWords(rows, dryRun)),
    { make: true },
  );
}

function inWords(rows: readonly ImportRow[], dryRun: boolean): string {
  if (rows.length === 0) return 'There is nothing in it.';
  const said = rows.map(({ what, suspension, status, relation, act, why }) => [
    WORDS[act],
    oneLine(suspension, 80),
    what ?? status.replaceAll('_', ' '),
    relation.replaceAll('_', ' '),
    oneLine(why),
  ]);
  const changed = rows.filter(({ act }) => act === 'add' || act === 'take_in' || act === 'update').length;
  return `${table([['', 'RUN', 'THERE', 'COMPARED', 'WHY'], ...said])}\n${changed} of ${rows.length} ${dryRun ? 'would come in' : 'came in'}.`;
}

const WORDS = { add: 'added', take_in: 'taken in', update: 'updated', none: '-', stays_out: 'stays out' };
