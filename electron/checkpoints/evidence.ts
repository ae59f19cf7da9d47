import { z } from 'zod';
import { SuspensionKey } from '../../shared/decision.js';
import { compareTimes, formatNs } from '../../shared/time.js';
import type { Ports } from '../ports.js';
import type { KvStore } from '../store/contract.js';
import { EVIDENCE } from './keys.js';

/** Something that decided nothing but must not vanish: came second, came too late, a late report, a withdrawal. */
export const Evidence = z.strictObject({
  v: z.literal(1),
  at: z.string(),
  kind: z.string(),
  by: z.string().nullable(),
  suspension: SuspensionKey.nullable(),
  call: z.number().int().nullable(),
  text: z.string(),
  facts: z.record(z.string(), z.unknown()),
});
export type Evidence = z.infer<typeof Evidence>;

export async function keepEvidence(
  store: KvStore,
  ports: Pick<Ports, 'clock' | 'ids'>,
  entry: Omit<Evidence, 'v' | 'at' | 'call'> & { call?: number },
): Promise<void> {
  const at = formatNs(ports.clock.now());
  const value: Evidence = { v: 1, at, ...entry, call: entry.call ?? null };
  await store.cas(EVIDENCE, ports.ids.ulid().toLowerCase(), new TextEncoder().encode(JSON.stringify(value)), null, {
    payloads: [],
  });
}

/** All evidence, oldest first; what cannot be read is left out of the view and stays in the store. */
export async function allEvidence(store: KvStore): Promise<Evidence[]> {
  const found: Evidence[] = [];
  for (let cursor: string | null = null; ; ) {
    const page = await store.keysPage(EVIDENCE, cursor, 256);
    for (const head of page.heads) {
      const entry = await store.get(EVIDENCE, head.key);
      const parsed = entry && Evidence.safeParse(JSON.parse(new TextDecoder().decode(entry.value)));
      if (parsed?.success) found.push(parsed.data);
    }
    if (page.next === null) return found.sort((a, b) => compareTimes(a.at, b.at));
    cursor = page.next;
  }
}
