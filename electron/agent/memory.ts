import { z } from 'zod';
import { Message } from '../../shared/checkpoint.js';
import type { KvStore } from '../store/contract.js';

/** Short-term memory: one key a run. */
export const MEMORY = 'memory';

/** The short-term memory of a run: it belongs to the run, not to its thread (H17), and is replaced atomically. */
export const Memory = z.strictObject({
  v: z.literal(1),
  /** The suspension whose resume wrote it. */
  seq: z.number().int(),
  /** The step at which the loop re-enters with these messages. */
  step: z.number().int(),
  messages: z.array(Message),
});
export type Memory = z.infer<typeof Memory>;

/** `run` is the run's key as text, the same for all of its suspensions. */
export async function readMemory(store: KvStore, run: string): Promise<Memory | null> {
  const entry = await store.get(MEMORY, run);
  if (entry === null) return null;
  return Memory.parse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(entry.value)));
}

export async function writeMemory(store: KvStore, run: string, memory: Memory): Promise<void> {
  await store.put(MEMORY, run, new TextEncoder().encode(JSON.stringify(memory)), { payloads: [] });
}

/**
 * The history that is sent to the model: at most `limit` characters of JSON (0 = all), whole turns dropped from the
 * front so that no answer stands without its call. The system message and the last turn always stay.
 */
export function boundHistory(messages: readonly Message[], limit: number): Message[] {
  const size = (list: readonly Message[]): number => list.reduce((sum, m) => sum + JSON.stringify(m).length, 0);
  const system = messages[0]?.role === 'system' ? messages.slice(0, 1) : [];
  let rest = messages.slice(system.length);
  while (limit > 0 && size(system) + size(rest) > limit) {
    const next = rest.findIndex((message, i) => i > 0 && message.role === 'user');
    if (next < 0) break;
    rest = rest.slice(next);
  }
  return [...system, ...rest];
}
