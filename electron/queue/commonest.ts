/** Names to choose from are shown up to so many. */
const MOST = 200;

/** Counts names, and gives the commonest in alphabetical order. */
export function commonest(): { add(name: string): void; names(): string[] } {
  const counts = new Map<string, number>();
  return {
    add: (name) => {
      if (name !== '') counts.set(name, (counts.get(name) ?? 0) + 1);
    },
    names: () =>
      [...counts]
        .sort((a, b) => b[1] - a[1])
        .slice(0, MOST)
        .map(([name]) => name)
        .sort(),
  };
}
