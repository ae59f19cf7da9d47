import { join } from 'node:path';
import { type Outcome, type Refusal, type RefusalCode, refused } from '../../shared/refusal.js';
import type { TakenIn } from '../checkpoints/intake.js';
import { MAX_RECORD_BYTES } from '../formats/read-record.js';
import { shortDigest } from '../refused/names.js';
import { forgetUnsettled, keepRefused, moveRefused } from '../refused.js';
import type { InboxDisk, Stat } from './disk.js';
import type { InboxEvent } from './event.js';
import { codeOf, type Found, LOCAL, listInbox, noRight } from './listing.js';
import { Notes } from './notes.js';

/** One record as it came through the inbox. */
export interface InboxRecord {
  bytes: Uint8Array;
  source: string;
  name: string;
}

export interface InboxSettings {
  /** Takes one record in; resolves when it is durable. Store faults may be refusals or exceptions. */
  takeIn(record: InboxRecord): Promise<Outcome<TakenIn>>;
  onArrival(event: InboxEvent): void;
  disk: InboxDisk;
  /** Monotonic milliseconds. */
  now(): number;
  /** A file is taken when nothing about it changed for this long. Milliseconds. */
  settleMs: number;
  /** A file that ends too early is refused only after this long: its writer may not be done. Milliseconds. */
  patienceMs: number;
  /** Pause before a file that could not be taken is tried again. Milliseconds. */
  retryMs: number;
}

interface Seen {
  stamp: string;
  /** When it was first seen like this. */
  since: number;
  notBefore: number;
  /** Taken in or refused, but it could not be removed. */
  done: boolean;
}

/** Refusals that say nothing about the record: the same file may be taken later. */
const PASSING: readonly RefusalCode[] = [
  'store_full',
  'store_read_only',
  'store_corrupt',
  'in_doubt',
  'not_home',
  'fault',
];
/** What a file looks like that is not written to its end yet. */
const HALF_WRITTEN: readonly string[] = ['empty', 'truncated'];

/** The inbox of one data folder, looked at step by step; `watchInbox` calls `look` when there may be something. */
export class Inbox {
  readonly #dataFolder: string;
  readonly #settings: InboxSettings;
  readonly #notes: Notes;
  readonly #seen = new Map<string, Seen>();
  /** The folders of the last look, for whoever watches them. */
  folders: string[] = [];

  constructor(dataFolder: string, settings: InboxSettings) {
    this.#dataFolder = dataFolder;
    this.#settings = settings;
    this.#notes = new Notes(dataFolder, settings.onArrival);
  }

  /** One look: takes what has settled, reports what cannot be taken. True when something asks for another look soon. */
  async look(): Promise<boolean> {
    const { disk, now } = this.#settings;
    const inbox = join(this.#dataFolder, 'inbox');
    await disk.makeFolder(inbox);
    const { found, folders } = await listInbox(disk, inbox);
    this.folders = folders;
    const here = new Set(found.map((one) => one.left));
    for (const left of this.#seen.keys()) if (!here.has(left)) this.#seen.delete(left);
    await this.#notes.dropOthers(here);
    let soon = false;
    for (const one of found) {
      if (one.odd !== null || one.stat === null) {
        await this.#notes.say(one, asRefusal(one.odd ?? noRight('nothing')));
        continue;
      }
      const seen = this.#remember(one.left, one.stat, now());
      if (seen.done || now() < seen.notBefore) continue;
      if (now() - seen.since < this.#settings.settleMs) soon = true;
      else if (await this.#take(one, one.stat, seen)) soon = true;
    }
    return soon;
  }

  #remember(left: string, stat: Stat, at: number): Seen {
    const known = this.#seen.get(left);
    if (known?.stamp === stat.stamp) return known;
    const seen: Seen = { stamp: stat.stamp, since: at, notBefore: 0, done: false };
    this.#seen.set(left, seen);
    return seen;
  }

  /** Handles one settled file. True when it is still being written. */
  async #take(one: Found, stat: Stat, seen: Seen): Promise<boolean> {
    try {
      if (stat.size > MAX_RECORD_BYTES) {
        const text = `${one.name} has ${stat.size} bytes; a record has at most ${MAX_RECORD_BYTES}.`;
        await this.#refuse(one, stat, null, refused('too_large', text).refusal);
        return false;
      }
      const read = await this.#read(one, seen);
      if (read === null) return false;
      if (read.stat.stamp !== stat.stamp || read.bytes.length !== stat.size) return true;
      const source = one.source ?? LOCAL;
      const taken = await this.#settings.takeIn({ bytes: read.bytes, source, name: one.name });
      if (taken.ok) await this.#clear(one, stat, read.bytes, taken.value);
      else if (PASSING.includes(taken.refusal.code)) await this.#wait(one, seen, taken.refusal);
      else if (this.#mayGrow(taken.refusal, seen)) return true;
      else await this.#refuse(one, stat, read.bytes, taken.refusal);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return true;
      await this.#wait(one, seen, refused('fault', faultText(one, error)).refusal);
    }
    return false;
  }

  /** Null when it cannot be read now: then it waits, and says so. */
  async #read(one: Found, seen: Seen): Promise<Awaited<ReturnType<InboxDisk['read']>> | null> {
    try {
      return await this.#settings.disk.read(one.path, MAX_RECORD_BYTES);
    } catch (error) {
      const code = codeOf(error);
      // It went, or a link took its place: the next look sees what is there.
      if (code === 'ENOENT' || code === 'ELOOP') return null;
      await this.#wait(one, seen, asRefusal(noRight(code)));
      return null;
    }
  }

  #mayGrow(refusal: Refusal, seen: Seen): boolean {
    const read = refusal.facts['read'];
    const code = typeof read === 'object' && read !== null && 'code' in read ? String(read.code) : '';
    return HALF_WRITTEN.includes(code) && this.#settings.now() - seen.since < this.#settings.patienceMs;
  }

  /** The store has it durably: the file goes, unless somebody changed it meanwhile. */
  async #clear(one: Found, stat: Stat, bytes: Uint8Array, taken: TakenIn): Promise<void> {
    this.#settings.onArrival({ kind: taken.outcome, name: one.name, source: one.source, key: taken.key });
    await forgetUnsettled(this.#dataFolder, bytes);
    await this.#notes.drop(one.left);
    if ((await this.#settings.disk.stat(one.path)).stamp !== stat.stamp) return;
    try {
      await this.#settings.disk.remove(one.path);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return;
      this.#finish(one.left);
      const text = `${one.name} was taken in, but cannot be removed from the inbox (${codeOf(error)}); it is left alone from now on.`;
      this.#settings.onArrival({
        kind: 'waits',
        name: one.name,
        source: one.source,
        refusal: refused('fault', text).refusal,
      });
    }
  }

  /** Moved to `refused/` with its reason; what cannot be moved for lack of room stays, and waits. `bytes` null: unread. */
  async #refuse(one: Found, stat: Stat, bytes: Uint8Array | null, refusal: Refusal): Promise<void> {
    const { name, source, path } = one;
    const digest = shortDigest(bytes ?? `${stat.stamp}\0${one.left}`);
    let file: string;
    try {
      file = await moveRefused(this.#dataFolder, { path, name, digest, size: stat.size, refusal, source });
    } catch (error) {
      if (codeOf(error) !== 'EXDEV' || bytes === null) throw error;
      file = await keepRefused(this.#dataFolder, { name, bytes, refusal, source });
      await this.#settings.disk.remove(path);
    }
    await this.#notes.drop(one.left);
    this.#settings.onArrival({ kind: 'refused', name, source, file, left: false, refusal });
  }

  async #wait(one: Found, seen: Seen, refusal: Refusal): Promise<void> {
    seen.notBefore = this.#settings.now() + this.#settings.retryMs;
    await this.#notes.say(one, refusal);
  }

  #finish(left: string): void {
    const seen = this.#seen.get(left);
    if (seen) seen.done = true;
  }
}

/** A reason of the inbox in the shape that a record's reader would give it. */
function asRefusal({ code, text }: { code: string; text: string }): Refusal {
  return refused('unreadable', text, { read: { code, path: '', offset: null, line: null, column: null, text } })
    .refusal;
}

function faultText(one: Found, error: unknown): string {
  return `${one.name} could not be taken in: ${error instanceof Error ? error.message : String(error)} It stays in the inbox and is tried again.`;
}
