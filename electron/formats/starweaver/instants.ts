import { formatNs, parseTime } from '../../../shared/time.js';

export function sameInstant(a: string, b: string): boolean {
  const [left, right] = [parseTime(a), parseTime(b)];
  return left.ok && right.ok && left.ns === right.ns;
}

/** As starweaver writes it: UTC, and the digits that are needed (J9). */
export function canonicalTime(written: string): string {
  const read = parseTime(written);
  return read.ok ? formatNs(read.ns) : written;
}
