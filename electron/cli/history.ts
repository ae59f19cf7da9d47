import { matchesFilter } from '../../shared/history-filter.js';
import { accepted, refused } from '../../shared/refusal.js';
import type { Engine } from '../engine.js';
import { historyText, writeWhole } from '../keep/export-history.js';
import { HISTORY_FORMATS, type HistoryFormat } from '../keep/history-text.js';
import { guarded } from '../store/refusal.js';
import { type Call, type Command, maybeText, say, sayRefused, UsageError, withEngine } from './command.js';
import { EXIT, type Exit } from './exit.js';
import { FILTER_OPTIONS, FILTER_USAGE, filterOf } from './history-filter.js';
import { write } from './io.js';
import { eventInWords } from './show.js';
import { verify } from './verify.js';

export const historyCommand: Command = {
  name: 'history',
  usage: `history [RUN] ${FILTER_USAGE} | history --export FILE|- [--format jsonl|csv] … | history --verify [--anchor HASH]`,
  does: 'tells what happened: to one run in order, or to all, newest first; --export writes it; --verify checks that none of it was changed',
  takes: [0, 1],
  options: {
    verify: { type: 'boolean' },
    anchor: { type: 'string' },
    export: { type: 'string' },
    format: { type: 'string' },
    ...FILTER_OPTIONS,
  },
  run: (call) => {
    for (const [option, needs] of [
      ['anchor', 'verify'],
      ['format', 'export'],
    ] as const)
      if (call.values[option] !== undefined && call.values[needs] === undefined)
        throw new UsageError(`--${option} goes with --${needs}`);
    if (call.values['verify'] === true) return verifyAll(call);
    const file = maybeText(call, 'export');
    return file === undefined ? tell(call) : exportTo(call, file);
  },
};

async function verifyAll(call: Call): Promise<Exit> {
  const more = [...Object.keys(FILTER_OPTIONS), 'export'].filter((name) => call.values[name] !== undefined);
  if (call.positionals.length > 0 || more.length > 0)
    throw new UsageError('--verify checks the whole history; leave the run, the filters and --export out');
  return verify(call);
}

function tell(call: Call): Promise<Exit> {
  const filter = filterOf(call);
  return withEngine(call, async (engine) => {
    const events = await engine.history(call.positionals[0]);
    const outcome = events.ok
      ? accepted({ events: events.value.filter((event) => matchesFilter(event, filter)) })
      : events;
    return say(call, outcome, ({ events: told }) =>
      told.length === 0 ? 'Nothing has happened yet.' : told.map(eventInWords).join('\n'),
    );
  });
}

/** Writes the history to a file that must not exist yet, or to stdout; run by run, each in order. */
function exportTo(call: Call, file: string): Promise<Exit> {
  const filter = filterOf(call);
  const format = formatOf(call, file);
  if (file === '-' && call.json)
    throw new UsageError('--export - writes the export itself to stdout; leave --json out');
  return withEngine(call, async (engine) => {
    const source = await sourceOf(engine, call.positionals[0]);
    if (!source.ok) return sayRefused(call, source.refusal);
    let events = 0;
    const parts = historyText(source.value, filter, format, (count) => {
      events = count;
    });
    if (file === '-') {
      for await (const part of parts) await write(call.io.stdout, part);
      return EXIT.ok;
    }
    const written = await guarded(async () => {
      try {
        await writeWhole(file, parts, { replace: false });
        return accepted({ events, file, format });
      } catch (error) {
        if (!(error instanceof Error && 'syscall' in error)) throw error;
        return refused('bad_request', `${file} cannot be written: ${error.message}. Nothing was exported.`, { file });
      }
    });
    return say(call, written, () => `${events} events written to ${file}`);
  });
}

async function sourceOf(engine: Engine, run: string | undefined) {
  if (run === undefined) return accepted(engine.eachHistory());
  const events = await engine.history(run);
  return events.ok ? accepted(only(events.value)) : events;
}

async function* only<T>(value: T): AsyncGenerator<T> {
  yield value;
}

function formatOf(call: Call, file: string): HistoryFormat {
  const said = maybeText(call, 'format') ?? (file.toLowerCase().endsWith('.csv') ? 'csv' : 'jsonl');
  const format = HISTORY_FORMATS.find((one) => one === said);
  if (format === undefined) throw new UsageError(`--format takes jsonl or csv; not ${JSON.stringify(said)}`);
  return format;
}
