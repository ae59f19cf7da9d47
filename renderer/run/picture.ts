/** Pictures that may be drawn, by their real type. No vector formats: they are programs of a kind. */
const DRAWN = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];
/** Larger ones are named and not drawn: a small file can hold a picture that takes all memory. */
const MAX_BYTES = 4 * 1024 * 1024;
const MAX_SIDE = 8_192;
const MAX_PIXELS = 16 * 1024 * 1024;

export interface Size {
  width: number;
  height: number;
}

/** Why a picture of this type and size is not drawn, or null when it may be. */
export function mayDraw(mime: string, bytes: number, size: Size | null): 'type' | 'bytes' | 'pixels' | null {
  if (!DRAWN.includes(mime)) return 'type';
  if (bytes > MAX_BYTES) return 'bytes';
  if (size === null || size.width > MAX_SIDE || size.height > MAX_SIDE) return 'pixels';
  return size.width * size.height > MAX_PIXELS ? 'pixels' : null;
}

/** Width and height as the picture's own head says, or null. */
export function sizeOf(mime: string, bytes: Uint8Array): Size | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const has = (length: number): boolean => bytes.length >= length;
  if (mime === 'image/png' && has(24)) return { width: view.getUint32(16), height: view.getUint32(20) };
  if (mime === 'image/gif' && has(10)) return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
  if (mime === 'image/webp' && has(30)) return webp(view, String.fromCharCode(...bytes.slice(12, 16)));
  return mime === 'image/jpeg' ? jpeg(view) : null;
}

function webp(view: DataView, chunk: string): Size | null {
  if (chunk === 'VP8X') {
    const three = (at: number): number => view.getUint16(at, true) + view.getUint8(at + 2) * 0x10000;
    return { width: three(24) + 1, height: three(27) + 1 };
  }
  if (chunk === 'VP8 ') return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  if (chunk !== 'VP8L') return null;
  const bits = view.getUint32(21, true);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

/** From segment to segment up to the one that starts the picture. */
function jpeg(view: DataView): Size | null {
  for (let at = 2; at + 9 < view.byteLength; ) {
    if (view.getUint8(at) !== 0xff) return null;
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    at += 2 + view.getUint16(at + 2);
  }
  return null;
}
