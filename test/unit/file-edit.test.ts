import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { fileBeside } from '../../electron/file-beside.js';
import { fileEditOf } from '../../shared/file-edit.js';
import { readJsonText } from '../../shared/json.js';

const editOf = (value: unknown) => {
  const read = readJsonText(typeof value === 'string' ? value : JSON.stringify(value));
  return read.ok ? fileEditOf(read.root) : 'not JSON';
};

describe('a file edit is read from the arguments', () => {
  test('whole files, replacements, several of them, patches', () => {
    expect(editOf({ path: 'a.txt', content: 'x' })).toEqual({ kind: 'write', path: 'a.txt', content: 'x' });
    expect(editOf({ file_path: 'a', old_string: 'b', new_string: 'c' })).toEqual({
      kind: 'replace',
      path: 'a',
      changes: [{ before: 'b', after: 'c' }],
    });
    expect(
      editOf({
        path: 'a',
        edits: [
          { oldText: '1', newText: '2' },
          { oldText: '3', newText: '' },
        ],
      }),
    ).toMatchObject({
      changes: [
        { before: '1', after: '2' },
        { before: '3', after: '' },
      ],
    });
    expect(editOf({ input: '*** Begin Patch\n*** Update File: a\n' })).toMatchObject({ kind: 'patch', path: null });
    expect(editOf({ patch: '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n' })).toMatchObject({ kind: 'patch' });
  });

  test.each([
    '{"path":"a"}',
    '{"content":"x"}',
    '[]',
    '{"path":1,"content":"x"}',
    '{"path":"a","path":"b","content":"x"}',
    '{"path":"a","edits":[{"oldText":"1"}]}',
    '{"patch":"please"}',
  ])('nothing is guessed: %s', (text) => expect(editOf(text)).toBeNull());
});

describe('the file beside a call', () => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'holdpoint-beside-')));
  afterAll(() => rmSync(home, { recursive: true, force: true }));
  const shop = join(home, 'shop');
  mkdirSync(shop);
  mkdirSync(join(home, 'shop-secrets'));
  writeFileSync(join(shop, 'a.txt'), 'one\n');
  writeFileSync(join(home, 'shop-secrets', 'key'), 'x');
  writeFileSync(join(shop, 'big'), 'x'.repeat(1024 * 1024 + 1));
  writeFileSync(join(shop, 'binary'), new Uint8Array([0xff, 0, 1]));
  symlinkSync(join(home, 'shop-secrets', 'key'), join(shop, 'link'));
  symlinkSync(join(shop, 'a.txt'), join(shop, 'inner'));
  const look = (path: string, asked = true, folders: string[] = []) => fileBeside({ path, folders, asked });
  const textOf = async (...args: Parameters<typeof look>) => {
    const found = await look(...args);
    return found.ok ? found.value.text : found.refusal.code;
  };

  test('is read by the act of a reviewer, or below an allowed folder; by path segments', async () => {
    const path = join(shop, 'a.txt');
    expect(await textOf(path)).toBe('one\n');
    expect(await textOf(path, false)).toBe('not_allowed');
    expect(await textOf(path, false, [shop])).toBe('one\n');
    expect(await textOf(join(home, 'shop-secrets', 'key'), false, [shop])).toBe('not_allowed');
    expect(await textOf(`${shop}/../shop-secrets/key`, false, [shop])).toBe('not_allowed');
    expect(await textOf(join(shop, 'none'), false)).toBe('not_allowed');
  });

  test('carries its state: digest, times, size; a missing one is missing', async () => {
    const found = await look(join(shop, 'a.txt'));
    expect(found.ok && found.value).toMatchObject({ state: 'text', size: 4, real: null });
    expect(found.ok && found.value.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(await look(join(shop, 'none'))).toMatchObject({ ok: true, value: { state: 'missing', text: null } });
  });

  test('a link is named with what it leads to, and out of an allowed folder it is not followed unasked', async () => {
    const link = join(shop, 'link');
    const key = join(home, 'shop-secrets', 'key');
    expect(await look(link)).toMatchObject({ ok: true, value: { path: link, real: key } });
    expect(await textOf(link, false, [shop])).toBe('not_allowed');
    expect(await textOf(join(shop, 'inner'), false, [shop])).toBe('one\n');
  });

  test('a relative path is looked for in allowed folders alone, and never above them', async () => {
    expect(await textOf('a.txt')).toBe('not_allowed');
    expect(await textOf('a.txt', false, [shop])).toBe('one\n');
    expect(await textOf('../shop-secrets/key', true, [shop])).toBe('not_allowed');
    expect(await textOf('a.txt', true, [shop, home])).toBe('one\n');
  });

  test.each([
    '//host/share/x',
    '\\\\host\\share\\x',
    'http://host/x',
    'file:///etc/passwd',
    '/dev/zero',
    '/proc/self/environ',
    '/tmp',
    'a\0b',
  ])('nothing but a regular file of this machine: %s', async (path) =>
    expect(await textOf(path, true, ['/'])).toBe('not_allowed'),
  );

  test('large ones and bytes are named and not read', async () => {
    expect(await look(join(shop, 'big'))).toMatchObject({ ok: true, value: { state: 'too_large', text: null } });
    expect(await look(join(shop, 'binary'))).toMatchObject({ ok: true, value: { state: 'no_text', text: null } });
  });
});
