import { join } from 'node:path';
import type { BucketIndex, Changed } from './bucket-index.js';
import { attempt } from './faults.js';
import { SHARDS } from './names.js';
import { RECORDS, shardFolder, type Volume } from './volume.js';

/** Several writes come close together: they are told at once. */
const SETTLE_MS = 10;
/** Beyond this many keys, "something changed" says as much. */
const MANY = 1000;

/**
 * Tells of changes to one bucket by any process. The system's notices make it quick where they can be had; a poll of
 * the folders' times makes it sure. Neither keeps the process alive.
 */
export class BucketWatch {
  readonly #volume: Volume;
  readonly #bucket: string;
  readonly #index: BucketIndex;
  readonly #callbacks = new Set<Changed>();
  readonly #notices: (() => void)[] = [];
  readonly #dirty = new Set<string>();
  #pending: Set<string> | 'all' | null = null;
  #timer: NodeJS.Timeout | null = null;
  #settling: NodeJS.Timeout | null = null;
  #unlisten: (() => void) | null = null;
  #polling = false;

  constructor(volume: Volume, bucket: string, index: BucketIndex) {
    this.#volume = volume;
    this.#bucket = bucket;
    this.#index = index;
  }

  /** Adds a listener; the first one starts the watch, and removing the last one ends it. */
  add(callback: Changed, pollMs: number): () => void {
    const own: Changed = (keys) => callback(keys);
    this.#callbacks.add(own);
    if (this.#timer === null) this.#start(pollMs);
    return () => {
      if (this.#callbacks.delete(own) && this.#callbacks.size === 0) this.stop();
    };
  }

  stop(): void {
    for (const end of this.#notices.splice(0)) end();
    this.#unlisten?.();
    if (this.#timer !== null) clearInterval(this.#timer);
    if (this.#settling !== null) clearTimeout(this.#settling);
    this.#timer = null;
    this.#settling = null;
    this.#callbacks.clear();
  }

  #start(pollMs: number): void {
    this.#unlisten = this.#index.onChange((keys) => this.#note(keys));
    this.#timer = setInterval(() => void this.#poll(), pollMs);
    this.#timer.unref();
    this.#arm();
    // What is written before the first listing is done cannot be told apart from what was there.
    if (!this.#index.built) void this.#poll().then(() => this.#note(null));
  }

  /** Asks the system for notices; where it has none to give, the poll is left. */
  #arm(): void {
    if (this.#notices.length > 0) return;
    const { disk, platform } = this.#volume;
    if (platform === 'linux') {
      for (const shard of SHARDS) {
        const folder = shardFolder(this.#volume, this.#bucket, shard);
        const changed = () => this.#mark(shard);
        if (attempt(() => this.#notices.push(disk.watch(folder, false, changed, changed))) !== null) return;
      }
      return;
    }
    const folder = join(this.#volume.root, RECORDS, this.#bucket);
    const changed = (name: string | null) => {
      const shard = name?.slice(0, 2) ?? '';
      for (const one of SHARDS.includes(shard) ? [shard] : SHARDS) this.#mark(one);
    };
    attempt(() => this.#notices.push(disk.watch(folder, true, changed, () => changed(null))));
  }

  #mark(shard: string): void {
    this.#dirty.add(shard);
    this.#settling ??= setTimeout(() => {
      this.#settling = null;
      const shards = [...this.#dirty];
      this.#dirty.clear();
      // A fault is for the poll, or for whoever lists next, to meet again.
      for (const one of shards) attempt(() => this.#index.refreshShard(one));
    }, SETTLE_MS).unref();
  }

  async #poll(): Promise<void> {
    if (this.#polling) return;
    this.#polling = true;
    try {
      await this.#index.refresh();
      this.#arm();
    } catch {
      // Whoever listens asks the store, and gets the error itself.
      this.#note(null);
    } finally {
      this.#polling = false;
    }
  }

  #note(keys: readonly string[] | null): void {
    if (this.#callbacks.size === 0) return;
    if (this.#pending === null) setImmediate(() => this.#flush());
    this.#pending ??= new Set();
    if (keys === null) this.#pending = 'all';
    if (this.#pending === 'all') return;
    for (const key of keys ?? []) this.#pending.add(key);
    if (this.#pending.size > MANY) this.#pending = 'all';
  }

  #flush(): void {
    const pending = this.#pending;
    this.#pending = null;
    if (pending === null) return;
    const keys = pending === 'all' ? null : [...pending];
    for (const callback of [...this.#callbacks]) callback(keys);
  }
}
