/** True when half of a surrogate pair stands alone. */
export function hasLoneSurrogate(text: string): boolean {
  return /\p{Surrogate}/u.test(text);
}

/**
 * UTF-8 for any JavaScript string: a lone surrogate becomes its own three bytes, which no valid UTF-8 contains. So two
 * different strings never share bytes, as they do when lone surrogates turn into U+FFFD.
 */
export function toWtf8(text: string): Buffer {
  if (!hasLoneSurrogate(text)) return Buffer.from(text, 'utf8');
  const parts: Buffer[] = [];
  // The iterator gives whole code points, and lone surrogates by themselves.
  for (const char of text) {
    const code = char.charCodeAt(0);
    const lone = char.length === 1 && code >= 0xd800 && code <= 0xdfff;
    parts.push(lone ? Buffer.from([0xed, 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)]) : Buffer.from(char));
  }
  return Buffer.concat(parts);
}

/** The string of such bytes. Bytes that no string gives come back as something else: compare after encoding again. */
export function fromWtf8(bytes: Buffer): string {
  let text = '';
  let from = 0;
  for (let at = 0; at + 2 < bytes.length; at += 1) {
    const second = bytes[at + 1] ?? 0;
    if (bytes[at] !== 0xed || second < 0xa0) continue;
    const unit = 0xd000 | ((second & 0x3f) << 6) | ((bytes[at + 2] ?? 0) & 0x3f);
    text += bytes.toString('utf8', from, at) + String.fromCharCode(unit);
    from = at + 3;
    at += 2;
  }
  return text + bytes.toString('utf8', from);
}
