/** Side of the icon in pixels. */
export const ICON_SIDE = 32;

const BACK = [0xd0, 0x5f, 0x2f] as const;
const FRONT = [0xff, 0xff, 0xff] as const;
const ALERT = [0x1a, 0x9a, 0xf0] as const;

/** The application's mark as BGRA pixels, with a dot in its corner when something waits. */
export function trayPixels(waiting: boolean): Buffer {
  const pixels = Buffer.alloc(ICON_SIDE * ICON_SIDE * 4);
  for (let row = 0; row < ICON_SIDE; row++)
    for (let column = 0; column < ICON_SIDE; column++) {
      const x = (column + 0.5) / ICON_SIDE - 0.5;
      const y = (row + 0.5) / ICON_SIDE - 0.5;
      const colour = colourAt(x, y, waiting);
      if (colour) pixels.set([...colour, 0xff], (row * ICON_SIDE + column) * 4);
    }
  return pixels;
}

/** `x` and `y` from -0.5 to 0.5; null outside the mark. Colours as blue, green, red. */
function colourAt(x: number, y: number, waiting: boolean): readonly number[] | null {
  if (waiting && Math.hypot(x - 0.3, y + 0.3) < 0.2) return ALERT;
  if (Math.max(Math.abs(x), Math.abs(y)) > 0.47) return null;
  const ring = Math.abs(Math.hypot(x, y) - 0.29) < 0.05;
  const bar = Math.abs(Math.abs(x) - 0.09) < 0.045 && Math.abs(y) < 0.14;
  return ring || bar ? FRONT : BACK;
}
