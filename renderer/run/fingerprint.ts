/** New with each start of the window: a sign on a screenshot says nothing about the value to anybody who tries values. */
const salt = crypto.getRandomValues(new Uint32Array(2));

/** Four characters that are the same for the same value, as long as this window is open. */
export function fingerprint(text: string): string {
  let a = (salt[0] ?? 0) | 1;
  let b = (salt[1] ?? 0) | 1;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    a = Math.imul(a ^ unit, 0x9e3779b1);
    b = Math.imul(b + unit + (a >>> 15), 0x85ebca6b);
  }
  return ((a ^ (b >>> 7) ^ (a >>> 16)) & 0xffff).toString(16).padStart(4, '0');
}
