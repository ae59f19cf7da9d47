import type { DiskStat } from './disk.js';
import { type Form, PLAIN_END, parseName, plainRevision, type StrayName } from './names.js';
import type { Volume } from './volume.js';

/** What the index knows of a key's newest revision, from its header. */
export type Info =
  /** `key` is null where the encoded name tells it: a hundred thousand texts less. */
  | {
      kind: 'record';
      key: string | null;
      meta: string;
      deleted: boolean;
      size: number;
      mtimeNs: bigint;
      whole: boolean;
    }
  | { kind: 'bad'; key: string | null; reason: string; size: number };

/** A key as the names of its shard show it. The object stays the same as long as the key is there. */
export interface KeyState {
  readonly enc: string;
  readonly shard: string;
  head: number;
  form: Form;
  /** Two files claim the newest revision. */
  twin: boolean;
  /** Null until the header of this head is read. */
  info: Info | null;
}

export interface ShardState {
  /** What the folder's stat was before it was listed; null = never listed to the end. */
  stamp: string | null;
  /**
   * What the folder's stat was after the last change that this process made itself, and since when (milliseconds of
   * the monotonic clock) such changes stand in for a listing; null when the listing is all there is.
   */
  own: { stamp: string; since: number } | null;
  keys: Map<string, KeyState>;
  strays: StrayName[];
  /** Encoded keys that strays speak of. */
  doubtful: ReadonlySet<string>;
  /** Why the folder could not be listed, or null. */
  fault: string | null;
}

export function emptyShard(): ShardState {
  return { stamp: null, own: null, keys: new Map(), strays: [], doubtful: new Set(), fault: null };
}

/** Anything that happens to the names in a folder changes this. */
export function stampOf(folder: DiskStat): string {
  return `${folder.ino}:${folder.mtimeNs}:${folder.ctimeNs}`;
}

const RACY_NS = 2_000_000_000n;

/**
 * What a folder was before it was listed; null when it changed so shortly before that a later change could leave the
 * same times behind (coarse clocks), or when its times lie in the future: such a listing is done again the next time.
 */
export function conclusiveStamp(folder: DiskStat | null, volume: Pick<Volume, 'fineTimes' | 'now'>): string | null {
  if (folder === null) return null;
  const isOld = BigInt(Math.floor(volume.now())) * 1_000_000n - folder.mtimeNs > RACY_NS;
  return volume.fineTimes || isOld ? stampOf(folder) : null;
}

/** How long own changes stand in for a listing at most. The index lists such folders about a second later, when there is time. */
const OWN_MS = 10_000;

/** True while the folder's names are surely those of the last listing and of this process's own changes since. */
export function isAsListed(state: ShardState, stamp: string): 'listed' | 'own' | null {
  if (state.fault !== null) return null;
  if (state.stamp === stamp) return 'listed';
  // Another's change in the very moment of ours would hide behind it: so now and then the folder is listed all the same.
  const { own } = state;
  return own !== null && own.stamp === stamp && performance.now() - own.since < OWN_MS ? 'own' : null;
}

/**
 * Takes a new listing over into the state of a shard. Returns the encoded keys whose newest revision or trust changed;
 * headers of unchanged heads stay, since a published file never changes.
 */
export function applyNames(state: ShardState, shard: string, names: readonly string[]): Set<string> {
  const changed = new Set<string>();
  if (isTold(state, names)) return changed;
  const before = new Map([...state.keys].map(([enc, key]) => [enc, { head: key.head, twin: key.twin }]));
  const strays: StrayName[] = [];
  const seen = new Map<string, KeyState>();
  for (const name of names) {
    const parsed = parseName(name);
    if (parsed === null) continue;
    if (!('revision' in parsed)) {
      strays.push(parsed);
      continue;
    }
    const { enc, revision, form } = parsed;
    const known = seen.get(enc);
    if (known === undefined) {
      const kept = state.keys.get(enc);
      if (kept === undefined) {
        seen.set(enc, { enc: ownText(enc), shard, head: revision, form, twin: false, info: null });
      } else {
        seen.set(enc, kept);
        setHead(kept, revision, form);
      }
    } else if (revision === known.head) {
      known.twin = true;
    } else if (revision > known.head) {
      setHead(known, revision, form);
    }
  }
  for (const [enc, key] of seen) {
    const old = before.get(enc);
    if (old === undefined || old.head !== key.head || old.twin !== key.twin) changed.add(enc);
    if (old !== undefined && old.head !== key.head) key.info = null;
  }
  for (const enc of before.keys()) if (!seen.has(enc)) changed.add(enc);
  for (const name of changedStrays(state.strays, strays)) changed.add(name);
  state.keys = seen;
  state.strays = strays;
  state.doubtful = new Set(strays.flatMap(({ enc }) => (enc === null ? [] : [enc])));
  return changed;
}

/** True when a listing says what is known already, which is what most listings say: then nothing is made for it. */
function isTold(state: ShardState, names: readonly string[]): boolean {
  if (state.strays.length > 0) return false;
  let heads = 0;
  for (const name of names) {
    const revision = plainRevision(name, name.length - PLAIN_END);
    if (revision === 0) return false;
    const dot = name.length - PLAIN_END - 1;
    const key = name[dot] === '.' ? state.keys.get(name.slice(0, dot)) : undefined;
    if (key === undefined || key.twin || key.form !== 'file' || revision > key.head) return false;
    if (revision === key.head) heads += 1;
  }
  // A folder has a name once, so as many heads as keys are the heads of all keys.
  return heads === state.keys.size;
}

/** A part of a text keeps the whole of it in memory; this one stands alone. Encoded names are ASCII. */
const ownText = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');

function setHead(key: KeyState, revision: number, form: Form): void {
  key.head = revision;
  key.form = form;
  key.twin = false;
}

/** The keys that new or removed strays speak of; '' for one that speaks of none. */
function changedStrays(before: readonly StrayName[], after: readonly StrayName[]): string[] {
  const old = new Set(before.map(({ name }) => name));
  const now = new Set(after.map(({ name }) => name));
  const changed = [...before.filter(({ name }) => !now.has(name)), ...after.filter(({ name }) => !old.has(name))];
  return changed.map(({ enc }) => enc ?? '');
}

/** A published file never changes: what was known of a head holds as long as it is the head. */
export function takeInfo(state: ShardState, row: KeyState): void {
  const key = state.keys.get(row.enc);
  if (key !== undefined && key.info === null && key.head === row.head && key.form === row.form) key.info = row.info;
}
