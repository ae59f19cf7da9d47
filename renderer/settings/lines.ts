/** One item a line; blank lines are left out. */
export function toLines(items: readonly string[]): string {
  return items.join('\n');
}
export function fromLines(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}

/** `NAME=value` a line. */
export function toPairs(record: Readonly<Record<string, string>>): string {
  return Object.entries(record)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n');
}
export function fromPairs(text: string): Record<string, string> {
  return Object.fromEntries(
    fromLines(text).map((line) => {
      const at = line.indexOf('=');
      return at < 0 ? [line.trim(), ''] : [line.slice(0, at).trim(), line.slice(at + 1)];
    }),
  );
}
