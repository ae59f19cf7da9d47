/** Makes a value and everything in it unchangeable: what several callers act on, none of them may alter. Bytes cannot be frozen. */
export function frozen<T>(value: T): T {
  freeze(value);
  return value;
}

function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || Object.isFrozen(value)) return;
  Object.freeze(value);
  if (Array.isArray(value)) for (const one of value) freeze(one);
  else for (const name of Object.keys(value)) freeze((value as Record<string, unknown>)[name]);
}
