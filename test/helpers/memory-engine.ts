import { bytesDigest } from '../../electron/checkpoints/digest.js';
import { EngineAway, type SharedEngine, type Stored } from '../../electron/sync/engine.js';

export type MemoryEngine = SharedEngine & {
  log: Stored[];
  /** Nobody gets an answer while it is away. */
  away: boolean;
  /** What the engine's own clock says, nanoseconds. */
  time: bigint;
  /** Another bucket of the same name. */
  recreate(): void;
  /** Writes as somebody else would. */
  write(key: string, value: Uint8Array | null): Stored;
};

/** The contract of a shared engine, in memory, for tests of everything above it. */
export function memoryEngine(): MemoryEngine {
  let life = 1;
  const entries = new Map<string, Stored>();
  const blobs = new Map<string, Uint8Array>();
  const waiting = new Set<() => void>();
  const reach = (): void => {
    if (engine.away) throw new EngineAway('the engine of the test is away');
  };
  const engine: MemoryEngine = {
    log: [],
    away: false,
    time: 0n,
    recreate: () => {
      life++;
      entries.clear();
      engine.log = [];
      for (const wake of waiting) wake();
    },
    write: (key, value) => {
      const stored = { key, value, revision: (engine.log.at(-1)?.revision ?? 0) + 1, at: engine.time };
      engine.log.push(stored);
      entries.set(key, stored);
      for (const wake of waiting) wake();
      return stored;
    },
    casPut: async (key, value, expected) => {
      if (engine.away) return { kind: 'ambiguous', text: 'away' };
      if ((entries.get(key)?.revision ?? 0) !== expected) return { kind: 'conflict' };
      return { kind: 'stored', revision: engine.write(key, value).revision };
    },
    get: async (key) => {
      reach();
      return entries.get(key) ?? null;
    },
    async *watch(after, signal) {
      for (let from = after; !signal.aborted; ) {
        reach();
        const next = engine.log.find((one) => one.revision > from);
        if (next !== undefined) {
          from = next.revision;
          yield next;
          continue;
        }
        await new Promise<void>((resolve) => {
          const wake = (): void => {
            waiting.delete(wake);
            signal.removeEventListener('abort', wake);
            resolve();
          };
          waiting.add(wake);
          signal.addEventListener('abort', wake);
        });
      }
    },
    async *keys() {
      reach();
      for (const { key, revision, value } of [...entries.values()]) if (value !== null) yield { key, revision };
    },
    blobs: {
      put: async (sha256, bytes) => {
        blobs.set(sha256, bytes);
      },
      get: async (sha256) => {
        const bytes = blobs.get(sha256);
        return bytes === undefined || bytesDigest(bytes) !== sha256 ? null : bytes;
      },
    },
    life: async () => {
      reach();
      return { created: `life ${life}`, last: engine.log.at(-1)?.revision ?? 0 };
    },
  };
  return engine;
}
