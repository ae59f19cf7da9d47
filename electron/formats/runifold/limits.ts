/** What runifold's own constructors take (R12). Bytes of UTF-8; a value is counted in its compact text. */
export const MAX_PROMPT_BYTES = 16_384;
export const MAX_PAYLOAD_BYTES = 1_048_576;
export const MAX_REASON_BYTES = 4_096;

export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Why this is no prompt of an interrupt, or null. */
export function promptFault(prompt: string): string | null {
  if (prompt.trim() === '') return 'the prompt is blank';
  const size = byteLength(prompt);
  return size > MAX_PROMPT_BYTES ? `the prompt has ${size} bytes; runifold takes ${MAX_PROMPT_BYTES}` : null;
}
