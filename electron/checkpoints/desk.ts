import { z } from 'zod';
import type { SuspensionKey } from '../../shared/decision.js';
import { Draft } from '../../shared/draft.js';
import { CasConflict, type KvStore } from '../store/contract.js';
import { DESK, suspensionText } from './keys.js';

/** What lies on the reviewer's desk beside a suspension: drafts by call, a snooze. It decides nothing (H12). */
export const Desk = z.strictObject({
  v: z.literal(1),
  drafts: z.record(z.string(), Draft),
  snoozedUntil: z.string().nullable(),
});
export type Desk = z.infer<typeof Desk>;

const EMPTY: Desk = { v: 1, drafts: {}, snoozedUntil: null };

/** The index's copy keeps the snooze only. */
export function readDesk(meta: string): { snoozedUntil: string | null } {
  return { snoozedUntil: meta === '' ? null : meta };
}

export async function deskOf(store: KvStore, key: SuspensionKey): Promise<Desk> {
  const entry = await store.get(DESK, suspensionText(key));
  if (entry === null) return EMPTY;
  return Desk.safeParse(JSON.parse(new TextDecoder().decode(entry.value))).data ?? EMPTY;
}

export async function changeDesk(store: KvStore, key: SuspensionKey, change: (desk: Desk) => Desk): Promise<void> {
  const name = suspensionText(key);
  for (;;) {
    const entry = await store.get(DESK, name);
    const next = change(entry === null ? EMPTY : await deskOf(store, key));
    const value = new TextEncoder().encode(JSON.stringify(next));
    try {
      await store.cas(DESK, name, value, entry?.revision ?? null, { meta: next.snoozedUntil ?? '' });
      return;
    } catch (error) {
      if (!(error instanceof CasConflict)) throw error;
    }
  }
}
