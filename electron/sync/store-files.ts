import { z } from 'zod';
import { CasConflict, type KvStore, StoreCorrupt } from '../store/contract.js';
import { Intent, OutboxEntry, type SyncFiles } from './io.js';
import { isFinal } from './protocol/fates.js';
import { SharedHead } from './protocol/head.js';
import { decode, encode } from './protocol/read.js';
import { idOf } from './protocol/record.js';

/** Decisions on their way, one key each; every revision stays. */
export const OUTBOX = 'outbox';
/** Claims in the shared engine, one key a run; every revision stays. */
export const INTENTS = 'intents';
/** What is known of each run of the engine. */
const KNOWN = 'shared';
/** Up to where the engine was read. */
const READ = 'engine';
const CURSOR = 'cursor';

const KnownRecord = z.strictObject({
  revision: z.number().int().min(0),
  head: SharedHead.nullable(),
  problem: z.strictObject({ kind: z.enum(['tampered', 'unreadable']), text: z.string() }).nullable(),
});
const CursorRecord = z.strictObject({
  epoch: z.number().int().min(0),
  created: z.string(),
  revision: z.number().int().min(0),
});

/** What must outlive the process, in buckets of the store: each write is durable when it returns, and no two are mixed up. */
export function storeFiles(store: KvStore): SyncFiles & { addToOutbox(entry: OutboxEntry): Promise<void> } {
  /** Writes what the change gives over what is read; again when somebody else wrote meanwhile. */
  async function change<T>(
    bucket: string,
    key: string,
    schema: z.ZodType<T>,
    next: (now: T | null) => T | null,
  ): Promise<void> {
    for (;;) {
      const entry = await store.get(bucket, key);
      const value = next(entry === null ? null : parse(schema, bucket, key, entry.value));
      if (value === null) return;
      try {
        await store.cas(bucket, key, encode(value), entry?.revision ?? null, { payloads: [] });
        return;
      } catch (error) {
        if (!(error instanceof CasConflict)) throw error;
      }
    }
  }

  async function read<T>(bucket: string, key: string, schema: z.ZodType<T>): Promise<T | null> {
    const entry = await store.get(bucket, key);
    return entry === null ? null : parse(schema, bucket, key, entry.value);
  }

  async function* all<T>(bucket: string, schema: z.ZodType<T>): AsyncGenerator<[string, T]> {
    for (let cursor: string | null = null; ; ) {
      const page = await store.keysPage(bucket, cursor, 256);
      for (const { key } of page.heads) {
        const value = await read(bucket, key, schema);
        if (value !== null) yield [key, value];
      }
      if (page.next === null) return;
      cursor = page.next;
    }
  }

  return {
    addToOutbox: (entry) => change(OUTBOX, idOf(entry.record), OutboxEntry, (now) => (now === null ? entry : null)),
    outbox: async () => {
      const entries: OutboxEntry[] = [];
      for await (const [, entry] of all(OUTBOX, OutboxEntry)) entries.push(entry);
      return entries;
    },
    changeOutbox: (decisionId, next) =>
      change(OUTBOX, decisionId, OutboxEntry, (now) => (now === null ? null : next(now))),
    known: (id) => read(KNOWN, id, KnownRecord),
    changeKnown: (id, next) => change(KNOWN, id, KnownRecord, next),
    allKnown: async () => {
      const known = new Map<string, number>();
      for await (const [id, { revision, head }] of all(KNOWN, KnownRecord)) if (head !== null) known.set(id, revision);
      return known;
    },
    forgetRevisions: async () => {
      for await (const [id] of all(KNOWN, KnownRecord))
        await change(KNOWN, id, KnownRecord, (now) => now && { ...now, revision: 0 });
      for await (const [id, { fate }] of all(OUTBOX, OutboxEntry))
        if (!isFinal(fate)) await change(OUTBOX, id, OutboxEntry, (now) => now && asNew(now));
    },
    cursor: () => read(READ, CURSOR, CursorRecord),
    saveCursor: (cursor) => change(READ, CURSOR, CursorRecord, () => cursor),
    intent: (id) => read(INTENTS, id, Intent),
    saveIntent: (id, intent) => change(INTENTS, id, Intent, () => intent),
  };
}

const asNew = (entry: OutboxEntry): OutboxEntry => ({ ...entry, phase: 'queued', fate: { kind: 'queued' }, toldBy: 0 });

function parse<T>(schema: z.ZodType<T>, bucket: string, key: string, bytes: Uint8Array): T {
  const parsed = schema.safeParse(decode(bytes));
  if (!parsed.success) throw new StoreCorrupt(`${bucket}/${key}: not written by this version of Holdpoint`);
  return parsed.data;
}
