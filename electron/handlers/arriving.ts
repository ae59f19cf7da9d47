import { readFile, stat, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Taken } from '../../shared/ipc.js';
import { accepted, type Outcome, refused } from '../../shared/refusal.js';
import type { Route, Settings } from '../../shared/settings.js';
import { SAMPLE_MODEL, SAMPLE_SERVER, SAMPLE_SOURCE, SAMPLE_TOOL_ROWS, sampleRecords } from '../agent/samples.js';
import type { Handlers } from '../answering.js';
import type { Via } from '../checkpoints/head.js';
import { takeIn } from '../checkpoints/intake.js';
import { suspensionText } from '../checkpoints/keys.js';
import { itemId } from '../checkpoints/rows.js';
import { MAX_RECORD_BYTES } from '../formats/read-record.js';
import { forgetUnsettled, keepRefused } from '../refused.js';
import { guarded, storeRefusal } from '../store/refusal.js';
import type { Context } from './context.js';
import { arriveDecision, decisionIn } from './countersigning.js';
import { originalOf } from './reading.js';

type Arriving = Pick<Handlers, 'intake:bytes' | 'intake:pick' | 'samples:add' | 'run:export'>;

/** The way a run of a source goes on: what the settings say, else by the way it came in (issue of the source, H13). */
function routeOf(settings: Settings, source: string, otherwise: Route): Route {
  return settings.sources.find((s) => s.name === source)?.route ?? otherwise;
}

/** Takes one record in from the window; what cannot be read is kept aside with its reason, and listed. */
export async function arrive(
  context: Context,
  record: { name: string; bytes: Uint8Array; source: string; via: Via },
): Promise<Taken> {
  const decision = decisionIn(record.bytes);
  if (decision) return arriveDecision(context, record.name, decision);
  const { store, ports, dataFolder, shell } = context;
  const route = routeOf(ports.settings(), record.source, 'here');
  try {
    const taken = await takeIn(store, ports.clock, { ...record, route });
    shell.broadcast('runs:changed');
    if (taken.ok) {
      await forgetUnsettled(dataFolder, record.bytes);
      const id = itemId(suspensionText(taken.value.key));
      const known = taken.value.outcome === 'already_known' ? 'Already known; nothing changed.' : null;
      const beside = taken.value.beside === undefined ? null : `Kept beside its checkpoint: ${taken.value.beside}.`;
      const text = known ?? beside ?? 'Taken in.';
      return { outcome: taken.value.outcome, id, name: record.name, text };
    }
    const kept = await keepRefused(dataFolder, { name: record.name, bytes: record.bytes, refusal: taken.refusal });
    shell.broadcast('runs:changed');
    return { outcome: 'refused', id: `f:${kept}`, name: record.name, text: taken.refusal.text };
  } catch (error) {
    const refusal = storeRefusal(error);
    const text = refusal.ok ? '' : refusal.refusal.text;
    return { outcome: 'refused', id: null, name: record.name, text };
  }
}

/** Reads one file that the person chose; the path stays in the main process. */
export async function arriveFile(context: Context, path: string): Promise<Taken> {
  const name = basename(path);
  try {
    const found = await stat(path);
    if (!found.isFile()) return { outcome: 'refused', id: null, name, text: 'This is not a file.' };
    if (found.size > MAX_RECORD_BYTES)
      return {
        outcome: 'refused',
        id: null,
        name,
        text: `Too large (${found.size} bytes; at most ${MAX_RECORD_BYTES}).`,
      };
    return await arrive(context, { name, bytes: new Uint8Array(await readFile(path)), source: 'local', via: 'file' });
  } catch (error) {
    return {
      outcome: 'refused',
      id: null,
      name,
      text: error instanceof Error ? error.message : String(error),
    };
  }
}

/** Takes several in, one after the other; the list shows them together. */
function inTurn<T>(context: Context, all: readonly T[], take: (one: T) => Promise<Taken>): Promise<Taken[]> {
  return context.together(async () => {
    const taken: Taken[] = [];
    for (const one of all) taken.push(await take(one));
    return taken;
  });
}

export function arriving(context: Context): Arriving {
  return {
    'intake:bytes': async (name, bytes) =>
      bytes.length > MAX_RECORD_BYTES
        ? refused('too_large', `${name} has ${bytes.length} bytes; a record has at most ${MAX_RECORD_BYTES}.`)
        : accepted(await arrive(context, { name, bytes, source: 'local', via: 'file' })),
    'intake:pick': async () => {
      const paths = await context.shell.system.chooseFiles('Take records in', 'several');
      return accepted(await inTurn(context, paths, (path) => arriveFile(context, path)));
    },
    'samples:add': () =>
      guarded(async () => {
        const set = await addSampleSettings(context);
        if (!set.ok) return set;
        // Only a tool server of ours is asked without a run that needs it: its cards then say what the server claims.
        const session = await context.ports.tools.open([SAMPLE_SERVER.name]);
        if (session.ok) await session.value.close();
        const samples = sampleRecords(context.ports.clock.now(), context.ports.ids);
        return accepted(
          await inTurn(context, samples, (one) =>
            arrive(context, { ...one, source: SAMPLE_SOURCE.name, via: 'sample' }),
          ),
        );
      }),
    'run:export': (id) =>
      guarded(async () => {
        const bytes = await originalOf(context, id);
        if (!bytes.ok) return bytes;
        const place = await context.shell.system.choosePlace('Export the original bytes', 'record.json');
        if (place === null) return accepted(false);
        await writeFile(place, bytes.value, { mode: 0o600 });
        return accepted(true);
      }),
  };
}

/** What the samples need to be continued here: their own source, server, model and rows; nothing of the person's is changed. */
async function addSampleSettings(context: Context): Promise<Outcome<Settings>> {
  const now = context.settings.get();
  const without = <T extends { name: string }>(list: readonly T[], name: string): T[] =>
    list.filter((entry) => entry.name !== name);
  const set = await context.settings.set({
    ...now,
    servers: [...without(now.servers, SAMPLE_SERVER.name), SAMPLE_SERVER],
    models: [...without(now.models, SAMPLE_MODEL.name), SAMPLE_MODEL],
    sources: [...without(now.sources, SAMPLE_SOURCE.name), SAMPLE_SOURCE],
    tools: [...now.tools.filter((row) => row.source !== SAMPLE_SOURCE.name), ...SAMPLE_TOOL_ROWS],
  });
  if (set.ok) context.shell.broadcast('settings:changed');
  return set;
}
