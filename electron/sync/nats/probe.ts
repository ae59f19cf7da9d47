import { randomUUID } from 'node:crypto';
import { accepted, type Outcome, refused } from '../../../shared/refusal.js';
import type { SharedEngine } from '../engine.js';

const AT_ONCE = 20;
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/**
 * Does the engine hold a compare-and-set? Twenty at once over one revision: exactly one may win. Gives the engine's own
 * time of the probe, in nanoseconds. Refused with `facts.reason` `probe_failed` when two won, `probe_unclear` when no
 * answer tells.
 */
export async function probe(engine: Pick<SharedEngine, 'casPut' | 'get'>): Promise<Outcome<{ at: bigint }>> {
  const key = `probe.${randomUUID()}`;
  const made = await engine.casPut(key, bytes('0'), 0);
  if (made.kind === 'refused') return { ok: false, refusal: made.refusal };
  if (made.kind !== 'stored') return unclear(made.kind);
  const stored = await engine.get(key);
  const answers = await Promise.all(
    Array.from({ length: AT_ONCE }, (_, n) => engine.casPut(key, bytes(String(n)), made.revision)),
  );
  const won = answers.filter((one) => one.kind === 'stored').length;
  const last = await engine.get(key);
  if (last !== null) await engine.casPut(key, null, last.revision);
  if (won > 1)
    return refused(
      'not_allowed',
      `Of ${AT_ONCE} who wrote over one revision, ${won} won: this engine cannot keep a call from firing twice.`,
      { reason: 'probe_failed', won },
    );
  if (won === 0 || stored === null)
    return unclear(`${answers.filter((one) => one.kind === 'ambiguous').length} without an answer`);
  return accepted({ at: stored.at });
}

const unclear = (why: string): Outcome<never> =>
  refused('in_doubt', `The probe of the engine did not end clearly (${why}). Try again.`, { reason: 'probe_unclear' });
