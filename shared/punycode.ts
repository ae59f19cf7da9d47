/** Parameters of RFC 3492, section 5. */
const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;
const SKEW = 38;
const DAMP = 700;
const FIRST_BIAS = 72;
const FIRST_POINT = 128;
const PREFIX = 'xn--';

/** A host as it would be read: every `xn--` label decoded. A label that is no valid punycode stays as it is. */
export function hostToUnicode(host: string): string {
  return host
    .split('.')
    .map((label) => (label.toLowerCase().startsWith(PREFIX) ? (decode(label.slice(PREFIX.length)) ?? label) : label))
    .join('.');
}

function decode(encoded: string): string | null {
  const dash = encoded.lastIndexOf('-');
  const points = Array.from(encoded.slice(0, Math.max(0, dash)), (letter) => letter.codePointAt(0) ?? 0);
  let at = dash < 0 ? 0 : dash + 1;
  let point = FIRST_POINT;
  let bias = FIRST_BIAS;
  for (let i = 0; at < encoded.length; i++) {
    const before = i;
    for (let weight = 1, k = BASE; ; k += BASE) {
      const digit = digitOf(encoded.charCodeAt(at));
      at += 1;
      if (digit === null) return null;
      i += digit * weight;
      const t = Math.min(T_MAX, Math.max(T_MIN, k - bias));
      if (digit < t) break;
      weight *= BASE - t;
    }
    const length = points.length + 1;
    bias = adapt(i - before, length, before === 0);
    point += Math.floor(i / length);
    if (point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) return null;
    i %= length;
    points.splice(i, 0, point);
  }
  return String.fromCodePoint(...points);
}

function digitOf(unit: number): number | null {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30 + 26;
  const letter = unit | 0x20;
  return letter >= 0x61 && letter <= 0x7a ? letter - 0x61 : null;
}

function adapt(delta: number, length: number, isFirst: boolean): number {
  let left = Math.floor(delta / (isFirst ? DAMP : 2));
  left += Math.floor(left / length);
  let k = 0;
  for (; left > ((BASE - T_MIN) * T_MAX) / 2; k += BASE) left = Math.floor(left / (BASE - T_MIN));
  return k + Math.floor(((BASE - T_MIN + 1) * left) / (left + SKEW));
}
