import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateRawSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { asar, findInTar, gunzip, unzip } from '../../electron/dev/archives.mjs';
import { readFuses, setFuses } from '../../electron/dev/fuses.mjs';

let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'holdpoint-archives-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

interface Member {
  name: string;
  body: string;
  mode?: number;
  stored?: boolean;
}

/** A zip file with a local header and a directory entry a member, as small as the format allows. */
function zip(...members: Member[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, body, mode = 0o100644, stored = false } of members) {
    const packed = stored ? Buffer.from(body) : deflateRawSync(body);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(stored ? 0 : 8, 4);
    common.writeUInt32LE(crc32(body), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(body.length, 18);
    common.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, Buffer.from(name), packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(mode * 0x10000, 6);
    tail.writeUInt32LE(at, 10);
    const head = Buffer.from('PK\x01\x02\x14\x03', 'latin1');
    directory.push(Buffer.concat([head, common, tail, Buffer.from(name)]));
    locals.push(local);
    at += local.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(entries.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...locals, entries, end]);
}

/** A tar file of plain members. */
function tar(members: Readonly<Record<string, Buffer>>): Buffer {
  const blocks = Object.entries(members).flatMap(([name, body]) => {
    const head = Buffer.alloc(512);
    head.write(name, 0);
    head.write(`${body.length.toString(8).padStart(11, '0')}\0`, 124);
    return [head, body, Buffer.alloc((512 - (body.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

async function unpack(...members: Member[]): Promise<string> {
  const archive = zip(...members);
  const path = join(home, 'all.tgz');
  writeFileSync(path, gzipSync(tar({ 'package/other': Buffer.from('x'.repeat(700)), 'package/a.zip': archive })));
  await gunzip(path, join(home, 'all.tar'));
  const place = await findInTar(join(home, 'all.tar'), 'package/a.zip');
  expect(place.size).toBe(archive.length);
  const out = join(home, 'out');
  await unzip({ path: join(home, 'all.tar'), ...place }, out, (name) => (name.startsWith('left/') ? undefined : name));
  return out;
}

describe('unpacking a zip inside a tgz', () => {
  it('writes the wanted members, executable where they were', async () => {
    const out = await unpack(
      { name: 'folder/', body: '' },
      { name: 'folder/deflated', body: 'one '.repeat(1000) },
      { name: 'stored', body: 'two', stored: true, mode: 0o100755 },
      { name: 'left/out', body: 'three' },
    );
    expect(readFileSync(join(out, 'folder/deflated'), 'utf8')).toBe('one '.repeat(1000));
    expect(readFileSync(join(out, 'stored'), 'utf8')).toBe('two');
    expect(statSync(join(out, 'stored')).mode & 0o777).toBe(0o755);
    expect(statSync(join(out, 'folder/deflated')).mode & 0o777).toBe(0o644);
    expect(() => statSync(join(out, 'left'))).toThrow('ENOENT');
  });

  it.each(['../outside', '/outside', 'folder/../../outside'])('writes nothing to %s', async (name) => {
    mkdirSync(join(home, 'out'));
    await expect(unpack({ name, body: 'x' })).rejects.toThrow('outside its folder');
    expect(() => statSync(join(home, 'outside'))).toThrow('ENOENT');
  });

  it('refuses links', async () => {
    await expect(unpack({ name: 'link', body: '/etc/passwd', mode: 0o120777 })).rejects.toThrow('is a link');
  });

  it('says what is not there', async () => {
    writeFileSync(join(home, 'a.tar'), tar({ one: Buffer.from('1') }));
    await expect(findInTar(join(home, 'a.tar'), 'two')).rejects.toThrow('two is not in');
  });
});

it('an asar archive names each file with its place', () => {
  const archive = asar({ 'package.json': Buffer.from('{}'), 'main.js': Buffer.from('start()') });
  const length = archive.readUInt32LE(12);
  const { files } = JSON.parse(archive.toString('utf8', 16, 16 + length)) as {
    files: Record<string, { size: number; offset: string }>;
  };
  const body = archive.subarray(archive.readUInt32LE(4) + 8);
  const { size = 0, offset = '' } = files['main.js'] ?? {};
  expect(body.toString('utf8', Number(offset), Number(offset) + size)).toBe('start()');
});

describe('fuses', () => {
  const executable = () => join(home, 'electron');

  it('are read and set in place, the others left alone', async () => {
    writeFileSync(executable(), `before${'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'}\x01\x0810110010after`, 'latin1');
    await setFuses(executable(), { nodeCliInspect: false, browserSnapshot: false, cookieEncryption: true });
    expect(readFileSync(executable(), 'latin1')).toContain('\x01\x0811100000after');
    expect(await readFuses(executable())).toMatchObject({
      runAsNode: true,
      cookieEncryption: true,
      nodeCliInspect: false,
    });
  });

  it('refuse an executable without them', async () => {
    writeFileSync(executable(), 'nothing here');
    await expect(setFuses(executable(), { runAsNode: false })).rejects.toThrow('no fuses');
  });
});
