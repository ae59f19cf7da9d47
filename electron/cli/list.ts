import { accepted } from '../../shared/refusal.js';
import type { RunRow } from '../../shared/run-row.js';
import { type Command, say, withEngine } from './command.js';
import { oneLine, table } from './text.js';

export const listCommand: Command = {
  name: 'list',
  usage: 'list [--all]',
  does: 'lists every run and every record that cannot be read; --all adds what the GC removed',
  takes: [0, 0],
  options: { all: { type: 'boolean' } },
  run: (call) =>
    withEngine(call, async (engine) => {
      const rows = await engine.list({ ended: call.values['all'] === true });
      const { path, said } = engine.dataFolder;
      const outcome = rows.ok ? accepted({ dataFolder: path, runs: rows.value }) : rows;
      return say(call, outcome, ({ runs }) => `Data folder: ${oneLine(path)} (${oneLine(said)})\n${inWords(runs)}`);
    }),
};

const HEADINGS = ['STATUS', 'RUN', 'SOURCE', 'STEP', 'CALLS', 'CREATED', 'NOTE'];

function inWords(runs: readonly RunRow[]): string {
  if (runs.length === 0) return 'No runs.';
  const cells = runs.map((row) => [
    row.status.replaceAll('_', ' '),
    `${oneLine(row.runId, 60)}${row.seq > 1 ? `#${row.seq}` : ''}`,
    oneLine(row.source || '-', 20),
    row.step === null ? '-' : String(row.step),
    oneLine(callsOf(row), 40),
    row.createdAt ?? '-',
    oneLine(row.note, 200),
  ]);
  return table([HEADINGS, ...cells]);
}

function callsOf({ tools, calls }: RunRow): string {
  if (calls === 0) return '-';
  return calls > tools.length ? `${tools.join(', ')} and ${calls - tools.length} more` : tools.join(', ');
}
