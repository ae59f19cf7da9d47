// @ts-check
// Just enough of tar, zip and asar for the registry runtime, on Node built-ins alone.
import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, mkdir, open } from 'node:fs/promises';
import { dirname, resolve, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createInflateRaw } from 'node:zlib';

/** @typedef {import('node:fs/promises').FileHandle} FileHandle */
/** @typedef {{ name: string, method: number, packed: number, executable: boolean, link: boolean, at: number }} ZipMember */

/** @param {string} from a .tgz @param {string} to the .tar */
export async function gunzip(from, to) {
  await pipeline(createReadStream(from), createGunzip(), createWriteStream(to));
}

/** @param {FileHandle} file @param {number} position @param {number} length */
async function bytesAt(file, position, length) {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.read(bytes, 0, length, position);
  return bytes.subarray(0, bytesRead);
}

/**
 * Where one member's bytes are in a tar file (names up to 100 bytes).
 * @param {string} path @param {string} name
 */
export async function findInTar(path, name) {
  const BLOCK = 512;
  const file = await open(path);
  try {
    let at = 0;
    while (true) {
      const head = await bytesAt(file, at, BLOCK);
      if (head.length < BLOCK || head[0] === 0) throw new Error(`${name} is not in ${path}`);
      const size = Number.parseInt(head.toString('latin1', 124, 136), 8);
      if (Number.isNaN(size)) throw new Error(`${path} is not a tar file`);
      const end = head.indexOf(0);
      if (head.toString('utf8', 0, Math.min(end < 0 ? 100 : end, 100)) === name) return { offset: at + BLOCK, size };
      at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
    }
  } finally {
    await file.close();
  }
}

/** @param {FileHandle} file @param {number} offset @param {number} size @returns {Promise<ZipMember[]>} */
async function zipMembers(file, offset, size) {
  const tailLength = Math.min(size, 65_557);
  const tail = await bytesAt(file, offset + size - tailLength, tailLength);
  const end = tail.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  if (end < 0) throw new Error('not a zip file');
  const directory = await bytesAt(file, offset + tail.readUInt32LE(end + 16), tail.readUInt32LE(end + 12));
  const members = [];
  for (let at = 0; at < directory.length; ) {
    if (directory.readUInt32LE(at) !== 0x02014b50) throw new Error('damaged zip directory');
    const nameLength = directory.readUInt16LE(at + 28);
    const mode = directory.readUInt16LE(at + 40);
    members.push({
      name: directory.toString('utf8', at + 46, at + 46 + nameLength),
      method: directory.readUInt16LE(at + 10),
      packed: directory.readUInt32LE(at + 20),
      executable: (mode & 0o111) !== 0,
      link: (mode & 0o170000) === 0o120000,
      at: offset + directory.readUInt32LE(at + 42),
    });
    at += 46 + nameLength + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  return members;
}

/**
 * Unpacks those members of a zip for which `target` names a path below `out`.
 * @param {{ path: string, offset: number, size: number }} zip where it is, inside another file
 * @param {string} out
 * @param {(name: string) => string | undefined} target
 */
export async function unzip(zip, out, target) {
  const file = await open(zip.path);
  try {
    for (const member of await zipMembers(file, zip.offset, zip.size)) {
      const relative = member.name.endsWith('/') ? undefined : target(member.name);
      if (relative === undefined) continue;
      const to = resolve(out, relative);
      if (!to.startsWith(resolve(out) + sep)) throw new Error(`${member.name} would be written outside its folder`);
      if (member.link) throw new Error(`${member.name} is a link`);
      if (member.method !== 0 && member.method !== 8) throw new Error(`${member.name}: unknown zip method`);
      const head = await bytesAt(file, member.at, 30);
      const start = member.at + 30 + head.readUInt16LE(26) + head.readUInt16LE(28);
      await mkdir(dirname(to), { recursive: true });
      const packed = createReadStream(zip.path, { start, end: start + member.packed - 1 });
      if (member.method === 8) await pipeline(packed, createInflateRaw(), createWriteStream(to));
      else await pipeline(packed, createWriteStream(to));
      await chmod(to, member.executable ? 0o755 : 0o644);
    }
  } finally {
    await file.close();
  }
}

/**
 * An asar archive of flat files: four little-endian sizes (nested pickles), the JSON directory padded to four, contents.
 * @param {Record<string, Buffer>} contents
 */
export function asar(contents) {
  /** @type {Record<string, { size: number, offset: string }>} */
  const files = {};
  let offset = 0;
  for (const [name, body] of Object.entries(contents)) {
    files[name] = { size: body.length, offset: String(offset) };
    offset += body.length;
  }
  const json = Buffer.from(JSON.stringify({ files }));
  const padded = (json.length + 3) & ~3;
  const head = Buffer.alloc(16 + padded);
  head.writeUInt32LE(4, 0);
  head.writeUInt32LE(padded + 8, 4);
  head.writeUInt32LE(padded + 4, 8);
  head.writeUInt32LE(json.length, 12);
  json.copy(head, 16);
  return Buffer.concat([head, ...Object.values(contents)]);
}
