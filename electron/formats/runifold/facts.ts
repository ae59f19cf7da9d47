import { formatNs } from '../../../shared/time.js';
import type { Envelope } from './envelope.js';

export type Fact = { name: string; value: string };

export function fact(name: string, value: string | number | bigint): Fact {
  return { name, value: String(value) };
}

/** The end of the year 262142, in milliseconds: the last that a clock of these systems can say. */
const LAST_MS = 8_210_266_876_799_999n;

/** RFC 3339; null for an instant that no clock can say. */
export function updatedAt({ updated_at_ms: ms }: Envelope): string | null {
  return ms > LAST_MS ? null : formatNs(ms * 1_000_000n);
}
