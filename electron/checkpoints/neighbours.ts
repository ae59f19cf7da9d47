import { z } from 'zod';
import type { System } from '../../shared/checkpoint.js';
import { accepted, type Outcome } from '../../shared/refusal.js';
import { formatNs } from '../../shared/time.js';
import { FORMATS } from '../formats/list.js';
import type { ForeignClaim, Neighbour } from '../formats/neighbour.js';
import type { Clock } from '../ports.js';
import { CasConflict, type Entry, type KvStore, StoreCorrupt } from '../store/contract.js';
import { NEIGHBOURS, type RunKey, runText } from './keys.js';

/** The records beside the checkpoints of one run, byte for byte, in the order in which they came. */
const Beside = z.strictObject({
  v: z.literal(1),
  items: z.array(z.strictObject({ at: z.string(), text: z.string() })),
});
type Beside = z.infer<typeof Beside>;

/** What the index keeps: the claim of somebody else, if there is one. */
const BesideMeta = z.strictObject({ claim: z.enum(['held', 'started']).nullable() });

/** Is this a record that belongs beside a checkpoint? Null when it is none; a refusal when it is one that cannot be read. */
export function neighbourOf(
  bytes: Uint8Array,
  system: System,
): Outcome<{ neighbour: Neighbour; system: System }> | null {
  const read = FORMATS.find((format) => format.system === system)?.neighbour?.(bytes) ?? null;
  return read?.ok ? accepted({ neighbour: read.value, system }) : read;
}

/** Keeps a record beside its run. The next state of one that is there takes its place, where the system allows it. */
export async function keepBeside(
  store: KvStore,
  clock: Clock,
  run: RunKey,
  neighbour: Neighbour,
  bytes: Uint8Array,
): Promise<Outcome<'taken_in' | 'already_known'>> {
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  for (;;) {
    const entry = await store.get(NEIGHBOURS, runText(run));
    const { items } = entry === null ? EMPTY : parse(run, entry);
    if (items.some((item) => item.text === text)) return accepted('already_known');
    const kept: Beside['items'] = [];
    for (const item of items) {
      const other = neighbourOf(new TextEncoder().encode(item.text), run.system);
      const same =
        other?.ok && other.value.neighbour.kind === neighbour.kind && other.value.neighbour.id === neighbour.id;
      if (!same) {
        kept.push(item);
        continue;
      }
      const may = other.value.neighbour.mayBecome(neighbour);
      if (!may.ok) return may;
    }
    const next: Beside = { v: 1, items: [...kept, { at: formatNs(clock.now()), text }] };
    try {
      await store.cas(
        NEIGHBOURS,
        runText(run),
        new TextEncoder().encode(JSON.stringify(next)),
        entry?.revision ?? null,
        {
          meta: metaOf(run.system, next),
        },
      );
      return accepted('taken_in');
    } catch (error) {
      if (!(error instanceof CasConflict)) throw error;
    }
  }
}

/** The bytes of the records beside a run. */
export async function besideOf(store: KvStore, run: RunKey): Promise<Uint8Array[]> {
  const entry = await store.get(NEIGHBOURS, runText(run));
  return entry === null ? [] : parse(run, entry).items.map(({ text }) => new TextEncoder().encode(text));
}

/** The claim of somebody else, from the index; null when nothing of the kind is known. */
export function readBesideMeta(text: string): ForeignClaim['state'] | null {
  if (text === '') return null;
  try {
    return BesideMeta.safeParse(JSON.parse(text)).data?.claim ?? null;
  } catch {
    return null;
  }
}

const EMPTY: Beside = { v: 1, items: [] };

function metaOf(system: System, { items }: Beside): string {
  const claims = items.flatMap(({ text }) => {
    const read = neighbourOf(new TextEncoder().encode(text), system);
    return read?.ok && read.value.neighbour.claim ? [read.value.neighbour.claim.state] : [];
  });
  return JSON.stringify({ claim: claims.includes('started') ? 'started' : (claims[0] ?? null) });
}

function parse(run: RunKey, entry: Entry): Beside {
  const parsed = Beside.safeParse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(entry.value)));
  if (!parsed.success) throw new StoreCorrupt(`${runText(run)}: not what this version of Holdpoint keeps beside a run`);
  return parsed.data;
}
