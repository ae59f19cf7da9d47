import type { BucketIndex } from './bucket-index.js';
import { type Entry, StoreCorrupt, StoreFault } from './contract.js';
import type { FileIdentity } from './disk.js';
import type { Header } from './header.js';
import { type KeyPlace, named } from './key-place.js';
import type { Form } from './names.js';
import { type Place, placeName, type Reading, readRecord } from './read-record.js';
import { slotFile } from './slots.js';
import { shardFolder, type Volume } from './volume.js';

/** The newest revision of a key, read whole and checked at least once. */
export interface Newest {
  header: Header;
  /** The header as it stands in the file. */
  line: string;
  revision: number;
  form: Form;
  deleted: boolean;
  /** Its file as it was when this was read, or written. */
  file: FileIdentity;
}

export interface Current extends Newest {
  body: Uint8Array;
}

type SlotOf = { revision: number; form: Form };

const MOST_KNOWN = 1024;
const TRIES = 8;

/**
 * Reads newest revisions. What was read whole, or written here, is not read again by the next writer as long as its
 * file is untouched: published files never change, and one that did has other times. Keeps the last thousand headers.
 */
export class NewestReader {
  readonly #volume: Volume;
  readonly #known = new Map<string, Newest>();

  constructor(volume: Volume) {
    this.#volume = volume;
  }

  /** The newest revision with its bytes, null when the key was never written. Throws StoreCorrupt (I5: an older one is no answer). */
  current(index: BucketIndex, place: KeyPlace): Current | null {
    return this.#atNewest(index, place, (slot) => this.read(place, slot));
  }

  /** The same without the bytes, for a writer: a file that is as it was when it was checked is only looked at. */
  newest(index: BucketIndex, place: KeyPlace): Newest | null {
    return this.#atNewest(index, place, (slot) => this.#untouched(place, slot) ?? this.read(place, slot));
  }

  /** Reads and checks one revision of a key. */
  read({ bucket, key, enc, shard }: KeyPlace, slot: SlotOf): Current | 'gone' {
    const place: Place = { bucket, shard, enc, key, ...slot };
    const reading = readRecord(this.#volume, place, 'all', this.#known.get(idOf(bucket, key)));
    if (reading.kind === 'gone') return 'gone';
    if (reading.kind === 'bad') throw corrupt(bucket, key, place, reading);
    const { header, line, ino, size, mtimeNs } = reading;
    const newest: Newest = { header, line, ...slot, deleted: header.op === 'del', file: { ino, size, mtimeNs } };
    this.#keep(bucket, key, newest);
    return { ...newest, body: reading.body ?? new Uint8Array() };
  }

  /** Takes in what was just written and synced. */
  wrote({ bucket, key }: KeyPlace, written: Pick<Newest, 'header' | 'line' | 'form'>, file: FileIdentity): void {
    const { rev: revision, op } = written.header;
    this.#keep(bucket, key, { ...written, revision, deleted: op === 'del', file });
  }

  #atNewest<T extends Newest>(index: BucketIndex, place: KeyPlace, read: (slot: SlotOf) => T | 'gone'): T | null {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const slot = index.locate(place);
      if (slot === null) return null;
      const found = read(slot);
      if (found !== 'gone') return found;
      // It was thinned since the listing, so newer ones are there.
      index.distrust(place.shard);
    }
    throw new StoreFault(`${named(place.bucket, place.key)} changes faster than it can be read.`);
  }

  #untouched({ bucket, key, enc, shard }: KeyPlace, { revision, form }: SlotOf): Newest | null {
    const known = this.#known.get(idOf(bucket, key));
    if (known === undefined || known.revision !== revision || known.form !== form) return null;
    try {
      const folder = shardFolder(this.#volume, bucket, shard);
      const found = this.#volume.disk.lstat(slotFile(folder, { enc, revision, form }));
      return found.kind === 'file' && isUntouched(found, known.file) ? known : null;
    } catch {
      return null; // Reading it says what is wrong.
    }
  }

  #keep(bucket: string, key: string, known: Newest): void {
    const id = idOf(bucket, key);
    const before = this.#known.get(id);
    if (before !== undefined && before.revision > known.revision) return;
    this.#known.delete(id);
    this.#known.set(id, known);
    if (this.#known.size <= MOST_KNOWN) return;
    const [oldest] = this.#known.keys();
    if (oldest !== undefined) this.#known.delete(oldest);
  }
}

/** Published files never change: one that is as it was when it was checked holds what it held. */
export const isUntouched = (found: FileIdentity, { ino, size, mtimeNs }: FileIdentity): boolean =>
  found.ino === ino && found.size === size && found.mtimeNs === mtimeNs;

const idOf = (bucket: string, key: string): string => `${bucket}/${key}`;

function corrupt(bucket: string, key: string, place: Place, bad: Extract<Reading, { kind: 'bad' }>): StoreCorrupt {
  return new StoreCorrupt(`${named(bucket, key)} cannot be read: ${placeName(place)}: ${bad.reason}.`);
}

/** What a reader gets of it: nothing for a tombstone. */
export function entryOf(current: Current): Entry | null {
  if (current.deleted) return null;
  return { value: current.body, revision: current.revision, meta: current.header.meta };
}
