/** Scripts told apart by name; letters of any other count as one more. */
const SCRIPTS = [
  'Latin',
  'Cyrillic',
  'Greek',
  'Armenian',
  'Cherokee',
  'Coptic',
  'Georgian',
  'Lisu',
  'Hebrew',
  'Arabic',
  'Devanagari',
  'Thai',
  'Han',
  'Hiragana',
  'Katakana',
  'Bopomofo',
  'Hangul',
] as const;
const TESTS = SCRIPTS.map((script) => ({ script, test: new RegExp(`\\p{Script=${script}}`, 'u') }));
/** Letters and marks without a script of their own, such as combining accents. */
const NO_SCRIPT = /[\p{Script=Common}\p{Script=Inherited}]/u;

/** East Asian texts mix these with Latin letters as a matter of course (UTS 39, "highly restrictive"). */
const TOGETHER: readonly (readonly string[])[] = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
];
/** A Latin letter next to one of a script whose letters are drawn like Latin ones. */
const LIKE =
  '[\\p{Script=Cyrillic}\\p{Script=Greek}\\p{Script=Armenian}\\p{Script=Cherokee}\\p{Script=Coptic}\\p{Script=Lisu}]';
const SEAM = new RegExp(`\\p{Script=Latin}\\p{M}*${LIKE}|${LIKE}\\p{M}*\\p{Script=Latin}`, 'gu');
const BEFORE = /[\p{L}\p{M}]*$/u;
const BEHIND = /^[\p{L}\p{M}]*/u;
/** So much of a word is shown on each side of its seam. */
const AROUND = 40;

/** The scripts of the letters of a text, in the order of the list. */
export function scriptsOf(text: string): string[] {
  const found = new Set<string>();
  for (const character of text) {
    if (!/[\p{L}\p{M}]/u.test(character) || NO_SCRIPT.test(character)) continue;
    found.add(TESTS.find(({ test }) => test.test(character))?.script ?? 'another script');
  }
  return [...SCRIPTS, 'another script'].filter((script) => found.has(script));
}

/** The scripts of a name when they do not belong together, else null: one script of any kind is honest. */
export function mixedScripts(name: string): string[] | null {
  if (isAscii(name)) return null;
  const scripts = scriptsOf(name);
  const fits = scripts.length < 2 || TOGETHER.some((set) => scripts.every((script) => set.includes(script)));
  return fits ? null : scripts;
}

export interface MixedWord {
  word: string;
  scripts: string[];
}

/**
 * Words of a running text in which Latin letters meet letters drawn like them. A text may hold words of several scripts;
 * no honest word changes its script in the middle.
 */
export function mixedWords(text: string, most: number): MixedWord[] {
  const found: MixedWord[] = [];
  if (isAscii(text)) return found;
  let done = 0;
  for (const match of text.matchAll(SEAM)) {
    if (match.index < done) continue;
    const before = BEFORE.exec(text.slice(Math.max(0, match.index - AROUND), match.index))?.[0] ?? '';
    const behind = BEHIND.exec(text.slice(match.index, match.index + AROUND))?.[0] ?? '';
    found.push({ word: before + behind, scripts: scriptsOf(before + behind) });
    done = match.index + behind.length;
    if (found.length >= most) break;
  }
  return found;
}

export function isAscii(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is what is asked for
  return /^[\x00-\x7f]*$/.test(text);
}
