import { z } from 'zod';
import type { System } from '../../shared/checkpoint.js';
import type { SuspensionKey } from '../../shared/decision.js';
import { accepted, type Outcome, refused } from '../../shared/refusal.js';
import { formatNs, parseTime } from '../../shared/time.js';
import type { CheckpointFormat } from '../formats/format.js';
import { FORMATS } from '../formats/list.js';
import type { ForeignClaim, Neighbour, NeighbourCheck } from '../formats/neighbour.js';
import { textDigest } from '../formats/text-digest.js';
import type { Clock, Ports } from '../ports.js';
import { CasConflict, type Entry, type KvStore, StoreCorrupt } from '../store/contract.js';
import { keepEvidence } from './evidence.js';
import { NEIGHBOURS, type RunKey, runText } from './keys.js';

/** The records beside the checkpoints of one run, byte for byte, in the order in which they came. */
const Beside = z.strictObject({
  v: z.literal(1),
  items: z.array(z.strictObject({ at: z.string(), text: z.string() })),
  /** Claims of somebody else that a person said were given up there, by the digest of their record. */
  givenUp: z
    .array(z.strictObject({ digest: z.string(), by: z.string(), at: z.string(), note: z.string() }))
    .default([]),
});
type Beside = z.infer<typeof Beside>;

/** What the index keeps: the claim of somebody else, if there is one, and when the last record came. */
const BesideMeta = z.strictObject({
  claim: z.enum(['held', 'started']).nullable(),
  /** Nanoseconds since the epoch. */
  t: z
    .string()
    .regex(/^-?\d+$/)
    .optional(),
});

/** What a run may have beside it: far more than any batch needs, and little enough to be read with every look. */
export const MOST_BESIDE = 500;
export const MOST_BESIDE_BYTES = 4 * 1024 * 1024;

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
  return changeBeside<'taken_in' | 'already_known'>(store, run, (beside) => {
    if (beside.items.some((item) => item.text === text)) return accepted({ said: 'already_known', next: null });
    const kept: Beside['items'] = [];
    for (const item of beside.items) {
      const other = neighbourOf(new TextEncoder().encode(item.text), run.system);
      const same =
        other?.ok && other.value.neighbour.kind === neighbour.kind && other.value.neighbour.id === neighbour.id;
      if (!same) {
        kept.push(item);
        continue;
      }
      // A claim that was given up stands in nobody's way.
      const may = isGivenUp(beside, item) ? accepted(null) : other.value.neighbour.mayBecome(neighbour);
      if (!may.ok) return may;
    }
    const items = [...kept, { at: formatNs(clock.now()), text }];
    const size = items.reduce((sum, item) => sum + item.text.length, 0);
    if (items.length > MOST_BESIDE || size > MOST_BESIDE_BYTES)
      return refused(
        'too_large',
        `Run ${run.runId} has too much beside it: ${items.length} records, ${size} characters.`,
      );
    return accepted({ said: 'taken_in', next: { ...beside, items } });
  });
}

/**
 * A person says that the claim of somebody else was given up there: no record can say it (S16). Recorded with name and
 * time; only for the very record that was on screen, and never for one under which calls may have run.
 */
export async function giveUpClaim(
  store: KvStore,
  ports: Pick<Ports, 'clock' | 'ids'>,
  key: SuspensionKey,
  said: { digest: string; by: string; note: string },
): Promise<Outcome<null>> {
  let words = '';
  const changed = await changeBeside<null>(store, key, (beside) => {
    const item = beside.items.find(({ text }) => textDigest(text) === said.digest);
    const read = item && neighbourOf(new TextEncoder().encode(item.text), key.system);
    if (!item || !read?.ok || read.value.neighbour.claim === null)
      return refused('changed_since_you_looked', 'The claim changed since you looked; it is shown again as it is now.');
    const { neighbour } = read.value;
    if (neighbour.claim?.state === 'started')
      return refused('unknown_outcome', `${neighbour.words}. It cannot be given up: say what came of each call.`);
    if (isGivenUp(beside, item)) return accepted({ said: null, next: null });
    words = neighbour.words;
    const { digest, by, note } = said;
    const givenUp = [...beside.givenUp, { digest, by, note, at: formatNs(ports.clock.now()) }];
    return accepted({ said: null, next: { ...beside, givenUp } });
  });
  if (changed.ok && words !== '')
    await keepEvidence(store, ports, {
      kind: 'claim_given_up',
      suspension: key,
      by: said.by,
      text: `A claim of somebody else was given up there: ${words}${said.note === '' ? '' : ` — ${said.note}`}`,
      facts: { digest: said.digest, note: said.note },
    });
  return changed;
}

/** What the records beside a run say to one of its checkpoints. */
export interface BesideCheck extends NeighbourCheck {
  /** Names the record of the claim that stands; null without one. */
  claimDigest: string | null;
}

/** Null where the system has no such records. */
export async function checkBeside(
  store: KvStore,
  run: RunKey,
  format: CheckpointFormat,
  bytes: Uint8Array,
): Promise<BesideCheck | null> {
  if (!format.withNeighbours) return null;
  const entry = await store.get(NEIGHBOURS, runText(run));
  const beside = entry === null ? EMPTY : parse(run, entry);
  const standing = beside.items.filter((item) => !isGivenUp(beside, item));
  const check = format.withNeighbours(
    bytes,
    standing.map(({ text }) => new TextEncoder().encode(text)),
  );
  const givenUp = beside.items.flatMap((item) => {
    const said = beside.givenUp.find(({ digest }) => digest === textDigest(item.text));
    const read = said && neighbourOf(new TextEncoder().encode(item.text), run.system);
    if (!said || !read?.ok) return [];
    const { kind, words } = read.value.neighbour;
    return [{ name: kind, value: `${words}; given up there, said ${said.by}, ${said.at}` }];
  });
  const claim = standing.find(({ text }) => {
    const read = neighbourOf(new TextEncoder().encode(text), run.system);
    return read?.ok && read.value.neighbour.claim !== null;
  });
  return { ...check, lines: [...check.lines, ...givenUp], claimDigest: claim ? textDigest(claim.text) : null };
}

/** The claim of somebody else, from the index; null when nothing of the kind is known. */
export function readBesideMeta(text: string): ForeignClaim['state'] | null {
  return metaIn(text)?.claim ?? null;
}

/** When the last record came, in nanoseconds; null where the index does not say. */
export function besideSince(text: string): bigint | null {
  const since = metaIn(text)?.t;
  return since === undefined ? null : BigInt(since);
}

function metaIn(text: string): z.infer<typeof BesideMeta> | null {
  if (text === '') return null;
  try {
    return BesideMeta.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

const EMPTY: Beside = { v: 1, items: [], givenUp: [] };

const isGivenUp = ({ givenUp }: Beside, { text }: Beside['items'][number]): boolean =>
  givenUp.length > 0 && givenUp.some(({ digest }) => digest === textDigest(text));

/** Changes what is beside a run by compare-and-set, looking again as often as somebody else was first. */
async function changeBeside<T>(
  store: KvStore,
  run: RunKey,
  change: (beside: Beside) => Outcome<{ said: T; next: Beside | null }>,
): Promise<Outcome<T>> {
  for (;;) {
    const entry = await store.get(NEIGHBOURS, runText(run));
    const changed = change(entry === null ? EMPTY : parse(run, entry));
    if (!changed.ok) return changed;
    const { said, next } = changed.value;
    if (next === null) return accepted(said);
    const value = new TextEncoder().encode(JSON.stringify(next));
    try {
      await store.cas(NEIGHBOURS, runText(run), value, entry?.revision ?? null, { meta: metaOf(run.system, next) });
      return accepted(said);
    } catch (error) {
      if (!(error instanceof CasConflict)) throw error;
    }
  }
}

function metaOf(system: System, beside: Beside): string {
  const claims = beside.items.flatMap((item) => {
    if (isGivenUp(beside, item)) return [];
    const read = neighbourOf(new TextEncoder().encode(item.text), system);
    return read?.ok && read.value.neighbour.claim ? [read.value.neighbour.claim.state] : [];
  });
  const last = beside.items
    .map(({ at }) => parseTime(at))
    .reduce((max, at) => (at.ok && at.ns > max ? at.ns : max), 0n);
  return JSON.stringify({ claim: claims.includes('started') ? 'started' : (claims[0] ?? null), t: String(last) });
}

function parse(run: RunKey, entry: Entry): Beside {
  const parsed = Beside.safeParse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(entry.value)));
  if (!parsed.success) throw new StoreCorrupt(`${runText(run)}: not what this version of Holdpoint keeps beside a run`);
  return parsed.data;
}
