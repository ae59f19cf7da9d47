/** A JSON number text as digits and a power of ten: 1.50e3 is 150 and 1. Null where it has more digits than anybody reads. */
function exact(text: string): { digits: bigint; exponent: number } | null {
  const [, sign = '', whole = '', fraction = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  if (whole === '' || whole.length + fraction.length > 400 || power.length > 5) return null;
  return { digits: BigInt(`${sign}${whole}${fraction}`), exponent: Number(power) - fraction.length };
}

/** Compares two JSON number texts exactly, with no double between (I6): below 0, 0, above 0; null where it cannot. */
export function compareDecimals(a: string, b: string): number | null {
  const [left, right] = [exact(a), exact(b)];
  if (left === null || right === null) return null;
  const least = Math.min(left.exponent, right.exponent);
  const grown = [left, right].map(({ digits, exponent }) => ({ digits, by: exponent - least }));
  if (grown.some(({ by }) => by > 1000)) return null;
  const [x, y] = grown.map(({ digits, by }) => digits * 10n ** BigInt(by));
  return x === undefined || y === undefined ? null : x < y ? -1 : x > y ? 1 : 0;
}
