const HIDDEN = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}]/gu;

/** A value as JSON text; big integers become strings, since not every reader keeps their digits as numbers. */
export function toJson(value: unknown): string {
  return escapeHidden(JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? String(part) : part)));
}

/** The same JSON with every character that nobody would see, or that steers a terminal, as an escape (I10). */
export function escapeHidden(json: string): string {
  return json.replace(HIDDEN, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}
