import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Area, clampBounds } from '../../electron/shell/bounds.js';

const laptop: Area = { x: 0, y: 25, width: 1440, height: 875 };
const screen: Area = { x: 1440, y: 0, width: 1920, height: 1080 };

describe('clampBounds', () => {
  it('keeps bounds that are inside a display', () => {
    const bounds = { x: 1500, y: 40, width: 1200, height: 800 };
    expect(clampBounds(bounds, [laptop, screen])).toEqual(bounds);
  });

  it('lets the system choose the place when the display is gone', () => {
    const bounds = { x: 1500, y: 40, width: 1200, height: 800 };
    expect(clampBounds(bounds, [laptop])).toEqual({ width: 1200, height: 800 });
  });

  it('moves a window that hangs over the edge back in', () => {
    expect(clampBounds({ x: -300, y: 600, width: 1000, height: 600 }, [laptop])).toEqual({
      x: 0,
      y: 300,
      width: 1000,
      height: 600,
    });
  });

  it('shrinks a window to the display it overlaps most', () => {
    expect(clampBounds({ x: 100, y: 100, width: 5000, height: 5000 }, [laptop])).toEqual({
      x: 0,
      y: 25,
      width: 1440,
      height: 875,
    });
  });

  it('without a place only fits the size', () => {
    expect(clampBounds({ width: 4000, height: 10 }, [laptop])).toEqual({ width: 1440, height: 480 });
  });

  it('works without any display', () => {
    expect(clampBounds({ x: 5, y: 5, width: 800, height: 600 }, [])).toEqual({ width: 800, height: 600 });
  });

  it('always ends inside one display, or without a place', () => {
    const side = fc.integer({ min: -20_000, max: 20_000 });
    const size = fc.integer({ min: 1, max: 20_000 });
    fc.assert(
      fc.property(side, side, size, size, (x, y, width, height) => {
        const end = clampBounds({ x, y, width, height }, [laptop, screen]);
        if (end.x === undefined || end.y === undefined) return true;
        const [left, top] = [end.x, end.y];
        return [laptop, screen].some(
          (area) =>
            left >= area.x &&
            top >= area.y &&
            left + end.width <= area.x + area.width &&
            top + end.height <= area.y + area.height,
        );
      }),
    );
  });
});
