import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { attachedFrom, readAttached } from '../../electron/attached-file.js';
import { MAX_ATTACHED_BYTES } from '../../shared/draft.js';

const folder = mkdtempSync(join(tmpdir(), 'holdpoint-attached-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const sha = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const put = (name: string, bytes: Uint8Array): string => {
  writeFileSync(join(folder, name), bytes);
  return join(folder, name);
};

describe('S12 a file as the result of a call', () => {
  it('gives its last name, size, digest and whole text, and never the path', async () => {
    const bytes = utf8('line 1\r\nzweite Zeile: ä€😀\u0000\n');
    const read = await readAttached(put('result.txt', bytes));
    const text = 'line 1\r\nzweite Zeile: ä€😀\u0000\n';
    expect(read).toEqual({ ok: true, value: { name: 'result.txt', size: bytes.length, sha256: sha(bytes), text } });
    expect(JSON.stringify(read)).not.toContain(folder);
  });

  it('an empty file is an empty result', () => {
    expect(attachedFrom('empty', new Uint8Array())).toMatchObject({ ok: true, value: { size: 0, text: '' } });
  });

  it.each([
    ['Latin-1', new Uint8Array([0x67, 0xfc, 0x6e]), 'looks like Latin-1'],
    ['UTF-16', new Uint8Array([0xff, 0xfe, 0x61, 0]), 'UTF-16'],
    ['an encoded surrogate', new Uint8Array([0xed, 0xa0, 0x80]), 'surrogate'],
    ['a cut character', new Uint8Array([0x61, 0xe2]), 'cut off'],
    ['a byte order mark', new Uint8Array([0xef, 0xbb, 0xbf, 0x61]), 'byte order mark'],
  ])('%s is refused with its place, never replaced', (_what, bytes, words) => {
    const read = attachedFrom('odd.bin', bytes);
    expect(read.ok).toBe(false);
    expect(!read.ok && read.refusal.text).toContain('odd.bin is no plain UTF-8 text');
    expect(!read.ok && read.refusal.text).toContain(words);
  });

  it('at most 1 MiB, the limit itself included; a larger one is not even read', async () => {
    expect(attachedFrom('full', new Uint8Array(MAX_ATTACHED_BYTES).fill(97)).ok).toBe(true);
    const over = new Uint8Array(MAX_ATTACHED_BYTES + 1).fill(0xff);
    for (const read of [attachedFrom('over', over), await readAttached(put('over', over))])
      expect(!read.ok && read.refusal).toMatchObject({
        code: 'too_large',
        text: 'over has 1048577 bytes; a result has at most 1048576.',
      });
  });

  it('a folder and a file that is gone are refused by name', async () => {
    mkdirSync(join(folder, 'a folder'));
    const [dir, gone] = [await readAttached(join(folder, 'a folder')), await readAttached(join(folder, 'gone'))];
    expect(!dir.ok && dir.refusal.text).toBe('a folder is not a file.');
    expect(!gone.ok && gone.refusal.text).toBe('gone cannot be read (ENOENT).');
  });
});
