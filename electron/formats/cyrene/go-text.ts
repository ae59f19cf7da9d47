import { jsonText } from '../json-text.js';

/** A text as Go's encoding/json writes it: < > & U+2028 U+2029 escaped, and no short escape for \b and \f (FORMATS 6). */
export function goText(text: string): string {
  return jsonText(text).replace(/\\[bf]|\\.|[<>&\u2028\u2029]/g, (found) => {
    if (found === '\\b') return '\\u0008';
    if (found === '\\f') return '\\u000c';
    return found.length > 1 ? found : `\\u${(found.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
  });
}
