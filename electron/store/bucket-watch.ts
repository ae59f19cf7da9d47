import { join } from 'node:path';
import type { BucketIndex, Changed } from './bucket-index.js';
import { attempt, errorCode } from './faults.js';
import { SHARDS } from './names.js';
import { bucketFolder, type Volume } from './volume.js';

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
  /** How to end each notice, by shard; '' is the bucket's folder itself. */
  readonly #notices = new Map<string, () => void>();
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
    for (const end of this.#notices.values()) end();
    this.#notices.clear();
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

  /** Asks the system for notices of each folder; where it has none to give, the poll is left. */
  #arm(): void {
    // A poll may come to its end after the watch did.
    if (this.#timer === null) return;
    if (this.#volume.platform !== 'linux') {
      this.#armFolder('', true);
      return;
    }
    // A watch there is not recursive: the bucket tells of new shards, and each shard of its files.
    if (!this.#armFolder('', false)) return;
    for (const shard of this.#index.shards.keys()) {
      if (this.#notices.has(shard)) continue;
      if (!this.#armFolder(shard, false)) return;
      // Whatever came between its listing and now.
      this.#mark(shard);
    }
  }

  /** False when the system refuses, and would refuse the next one, too. */
  #armFolder(shard: string, recursive: boolean): boolean {
    if (this.#notices.has(shard)) return true;
    const folder = join(bucketFolder(this.#volume, this.#bucket), shard);
    const changed = (name: string | null) => {
      const named = shard === '' ? (name?.slice(0, 2) ?? '') : shard;
      for (const one of SHARDS.includes(named) ? [named] : this.#index.shards.keys()) this.#mark(one);
    };
    const failed = () => {
      this.#notices.delete(shard);
      changed(null);
    };
    const error = attempt(() => this.#notices.set(shard, this.#volume.disk.watch(folder, recursive, changed, failed)));
    return error === null || (errorCode(error) === 'ENOENT' && shard !== '');
  }

  #mark(shard: string): void {
    if (this.#timer === null) return;
    this.#dirty.add(shard);
    this.#settling ??= setTimeout(() => {
      this.#settling = null;
      const shards = [...this.#dirty];
      this.#dirty.clear();
      // A fault is for the poll, or for whoever lists next, to meet again.
      for (const one of shards) attempt(() => this.#index.refreshShard(one));
      this.#arm();
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
