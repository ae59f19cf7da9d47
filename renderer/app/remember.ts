/**
 * Remembers the last few answers of a pure function of texts. A big text is read once, not once a repaint; what has not
 * been asked for lately is forgotten.
 */
export function remember<A extends readonly string[], T>(fn: (...args: A) => T, most = 8): (...args: A) => T {
  let recent: { args: A; value: T }[] = [];
  return (...args) => {
    const known = recent.find((entry) => entry.args.every((arg, i) => arg === args[i]));
    const entry = known ?? { args, value: fn(...args) };
    recent = [entry, ...recent.filter((other) => other !== entry)].slice(0, most);
    return entry.value;
  };
}
