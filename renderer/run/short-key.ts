const LONGEST = 80;

/** The beginning of a long name, with how much there is of it. */
export function shortKey(key: string): string {
  return key.length <= LONGEST ? key : `${key.slice(0, LONGEST)}… (${key.length} characters)`;
}
