/** A text as JSON. A lone surrogate, which a model can produce but no record may hold, becomes U+FFFD. */
export function jsonText(text: string): string {
  return JSON.stringify(text.replace(/\p{Cs}/gu, '\ufffd'));
}
