// @ts-check
// Electron's fuses sit in the executable as ASCII digits behind a sentinel: schema version, how many, one digit each.
import { open, readFile } from 'node:fs/promises';

const SENTINEL = Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX', 'latin1');

/** Position of each fuse in the wire of schema version 1. */
export const FUSE = {
  runAsNode: 0,
  cookieEncryption: 1,
  nodeOptionsEnvironment: 2,
  nodeCliInspect: 3,
  asarIntegrity: 4,
  onlyLoadFromAsar: 5,
  browserSnapshot: 6,
  fileProtocolPrivileges: 7,
};

/** @param {Buffer} image @returns {number} offset of the first fuse */
function firstFuse(image) {
  const at = image.indexOf(SENTINEL);
  if (at < 0 || image[at + SENTINEL.length] !== 1) throw new Error('no fuses of schema version 1 in this executable');
  return at + SENTINEL.length + 2;
}

/** @param {string} executable @param {Partial<Record<keyof typeof FUSE, boolean>>} values */
export async function setFuses(executable, values) {
  const first = firstFuse(await readFile(executable));
  const file = await open(executable, 'r+');
  try {
    for (const [name, on] of Object.entries(values)) {
      const index = FUSE[/** @type {keyof typeof FUSE} */ (name)];
      await file.write(on ? '1' : '0', first + index, 'latin1');
    }
  } finally {
    await file.close();
  }
}

/** @param {string} executable @returns {Promise<Record<keyof typeof FUSE, boolean>>} */
export async function readFuses(executable) {
  const image = await readFile(executable);
  const first = firstFuse(image);
  const entries = Object.entries(FUSE).map(([name, index]) => [name, image[first + index] === 0x31]);
  return Object.fromEntries(entries);
}
