/** Where a window is, in device-independent pixels. Without a place the system chooses one. */
export interface Bounds {
  width: number;
  height: number;
  x?: number;
  y?: number;
}
export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

export const FIRST_BOUNDS: Bounds = { width: 1280, height: 820 };
const SMALLEST = { width: 640, height: 480 };

function overlap(a: Area, b: Area): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return Math.max(0, width) * Math.max(0, height);
}

const within = (value: number, low: number, high: number): number => Math.max(low, Math.min(value, high));

/**
 * Moves and shrinks remembered bounds into the display they overlap most. Outside every display (a screen that was
 * unplugged) the size stays and the system chooses the place.
 */
export function clampBounds(saved: Bounds, displays: readonly Area[]): Bounds {
  const width = Math.max(SMALLEST.width, Math.round(saved.width));
  const height = Math.max(SMALLEST.height, Math.round(saved.height));
  const sized = (area: Area | undefined) => ({
    width: area ? Math.min(width, Math.max(SMALLEST.width, area.width)) : width,
    height: area ? Math.min(height, Math.max(SMALLEST.height, area.height)) : height,
  });
  if (saved.x === undefined || saved.y === undefined) return sized(displays[0]);
  const wanted = { x: Math.round(saved.x), y: Math.round(saved.y), width, height };
  const [home] = displays
    .filter((area) => overlap(wanted, area) > 0)
    .sort((a, b) => overlap(wanted, b) - overlap(wanted, a));
  if (!home) return sized(displays[0]);
  const size = sized(home);
  return {
    ...size,
    x: within(wanted.x, home.x, Math.max(home.x, home.x + home.width - size.width)),
    y: within(wanted.y, home.y, Math.max(home.y, home.y + home.height - size.height)),
  };
}
