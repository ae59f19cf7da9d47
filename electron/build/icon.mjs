// @ts-check
// Draws icon.png, the application's mark: a ring that is held by two bars. Run again after a change: node electron/build/icon.mjs
import { writeFileSync } from 'node:fs';
import { crc32, deflateSync } from 'node:zlib';

const SIZE = 512;
/** Samples along each side of a pixel. */
const FINE = 4;
const BACK = [0x2f, 0x5f, 0xd0];
const FRONT = [0xff, 0xff, 0xff];

/** Signed distance to a rounded rectangle around the centre; negative inside. All lengths are parts of the side.
 * @param {number} x @param {number} y @param {number} halfWidth @param {number} halfHeight @param {number} radius */
function rounded(x, y, halfWidth, halfHeight, radius) {
  const dx = Math.abs(x) - halfWidth + radius;
  const dy = Math.abs(y) - halfHeight + radius;
  return Math.hypot(Math.max(dx, 0), Math.max(dy, 0)) + Math.min(Math.max(dx, dy), 0) - radius;
}

/** @param {number} x @param {number} y from -0.5 to 0.5 @returns {readonly number[] | null} a colour, or nothing */
function colourAt(x, y) {
  if (rounded(x, y, 0.47, 0.47, 0.11) > 0) return null;
  const ring = Math.abs(Math.hypot(x, y) - 0.29) < 0.035;
  const bar = rounded(Math.abs(x) - 0.08, y, 0.035, 0.135, 0.025) < 0;
  return ring || bar ? FRONT : BACK;
}

/** @param {number} column @param {number} row @returns {number[]} red, green, blue, alpha */
function pixel(column, row) {
  const sum = [0, 0, 0];
  let hits = 0;
  for (let sample = 0; sample < FINE * FINE; sample++) {
    const x = (column + ((sample % FINE) + 0.5) / FINE) / SIZE - 0.5;
    const y = (row + (Math.floor(sample / FINE) + 0.5) / FINE) / SIZE - 0.5;
    const colour = colourAt(x, y);
    if (!colour) continue;
    hits++;
    for (const [channel, value] of colour.entries()) sum[channel] = (sum[channel] ?? 0) + value;
  }
  return [...sum.map((value) => (hits ? Math.round(value / hits) : 0)), Math.round((255 * hits) / (FINE * FINE))];
}

/** @param {string} type @param {Buffer} data */
function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

const header = Buffer.alloc(13);
header.writeUInt32BE(SIZE, 0);
header.writeUInt32BE(SIZE, 4);
header.set([8, 6, 0, 0, 0], 8);
const rows = Array.from({ length: SIZE }, (_, row) => [
  0,
  ...Array.from({ length: SIZE }, (_, at) => pixel(at, row)).flat(),
]);
const png = [
  Buffer.from('89504e470d0a1a0a', 'hex'),
  chunk('IHDR', header),
  chunk('IDAT', deflateSync(Buffer.from(rows.flat()), { level: 9 })),
  chunk('IEND', Buffer.alloc(0)),
];
writeFileSync(new URL('icon.png', import.meta.url), Buffer.concat(png));
