import unhomoglyph from 'unhomoglyph';

const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu;

/** Two texts with one skeleton look the same (Unicode UTS 39, confusables). For comparing only, never for showing. */
export function skeleton(text: string): string {
  return unhomoglyph(text.normalize('NFD').replace(IGNORABLE, '')).normalize('NFD');
}

/** What is left of a name for somebody who reads quickly: no case, no blanks around it. */
const atAGlance = (name: string): string => skeleton(name.trim().toLowerCase());

export interface KnownNames {
  has(name: string): boolean;
  /** Known names that this one could be taken for: others with the same look. */
  like(name: string): string[];
}

export function knownNames(names: Iterable<string>): KnownNames {
  const known = new Set(names);
  const byLook = new Map<string, string[]>();
  for (const name of known) {
    const look = atAGlance(name);
    byLook.set(look, [...(byLook.get(look) ?? []), name]);
  }
  return {
    has: (name) => known.has(name),
    like: (name) => (known.has(name) ? [] : (byLook.get(atAGlance(name)) ?? [])),
  };
}

/** Pairs of different texts of one list that look the same, each later one with the first of its kind. */
export function lookAlikePairs(texts: readonly string[]): { first: string; second: string }[] {
  const seen = new Map<string, string>();
  const pairs: { first: string; second: string }[] = [];
  for (const text of texts) {
    const look = skeleton(text);
    const first = seen.get(look);
    if (first === undefined) seen.set(look, text);
    else if (first !== text) pairs.push({ first, second: text });
  }
  return pairs;
}
