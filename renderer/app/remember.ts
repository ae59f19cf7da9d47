/**
 * Remembers the last few answers of a pure function of texts. A big text is read once, not once a repaint; what has not
 * been asked for lately is forgotten.
 */
export function remember<A extends readonly string[], T>(fn: (...args: A) => T, most = 8): Remembered<A, T> {
  let recent: { args: A; value: T }[] = [];
  const keep = (entry: { args: A; value: T }): T => {
    recent = [entry, ...recent.filter((other) => other !== entry)].slice(0, most);
    return entry.value;
  };
  const asked = (...args: A): T => {
    const known = recent.find((entry) => entry.args.every((arg, i) => arg === args[i]));
    return keep(known ?? { args, value: fn(...args) });
  };
  return Object.assign(asked, { put: (args: A, value: T) => void keep({ args, value }) });
}

export interface Remembered<A extends readonly string[], T> {
  (...args: A): T;
  /** Takes an answer that was worked out elsewhere, such as in steps. */
  put(args: A, value: T): void;
}
