import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readRecord } from '../../electron/formats/read-record.js';
import { refusedName } from '../../electron/refused/names.js';
import {
  dropNote,
  forgetUnsettled,
  keepRefused,
  listRefused,
  moveRefused,
  noteRefused,
  readRefused,
} from '../../electron/refused.js';
import { type Refusal, refused } from '../../shared/refusal.js';
import { refusalOf, unwrap } from '../helpers/world.js';

const calls = vi.hoisted(() => ({ readdir: 0, readFile: 0 }));
vi.mock('node:fs/promises', async (real) => {
  const fs = await real<typeof import('node:fs/promises')>();
  const counted =
    <Arguments extends unknown[], Result>(name: keyof typeof calls, act: (...given: Arguments) => Result) =>
    (...given: Arguments): Result => {
      calls[name] += 1;
      return act(...given);
    };
  return { ...fs, readdir: counted('readdir', fs.readdir), readFile: counted('readFile', fs.readFile) };
});

let parent = '';
let data = '';
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'holdpoint-refused-'));
  data = join(parent, 'data');
  mkdirSync(data);
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const inside = (): string[] => readdirSync(join(data, 'refused')).sort();

/** The refusal that intake gives for bytes that are no record. */
function unreadable(content: Uint8Array): Refusal {
  const read = readRecord(content);
  if (read.ok) throw new Error('this can be read');
  return refused('unreadable', read.refusal.text, { read: read.refusal }).refusal;
}

const NAMES = [
  '../../outside',
  '..',
  '.',
  ' ',
  '',
  '/etc/passwd',
  'C:\\Windows\\win.ini',
  'x\0.json',
  'a\nb',
  '-rf',
  '$(touch x)',
  'con',
  'CON.json',
  'nul.txt',
  '\u202egnp.json',
  'x'.repeat(400),
  'x.reason.json',
  '.hidden',
  'a.'.repeat(30),
  '‥/‥/x',
];

describe('what was refused is kept (I5, I11)', () => {
  it('keeps the bytes and says why, where and what it was called', async () => {
    const content = bytes('{"run_id":"x",\n"run_id":1e999}');
    const file = await keepRefused(data, { name: 'my run.json', bytes: content, refusal: unreadable(content) });
    expect(file).toMatch(/^my_run-[0-9a-f]{32}\.json$/);
    expect(new Uint8Array(readFileSync(join(data, 'refused', file)))).toEqual(content);
    const reason: unknown = JSON.parse(readFileSync(join(data, 'refused', `${file}.reason.json`), 'utf8'));
    expect(reason).toMatchObject({
      code: 'number_overflow',
      path: 'run_id',
      line: 2,
      column: 10,
      offset: 24,
      originalName: 'my run.json',
      size: 30,
      left: null,
    });
    expect(statSync(join(data, 'refused', file)).mode & 0o777).toBe(0o600);
    expect(unwrap(await readRefused(data, file))).toEqual(content);
  });

  it('keeps the same bytes once, whatever they are called', async () => {
    const content = bytes('nothing');
    const first = await keepRefused(data, { name: 'a.json', bytes: content, refusal: unreadable(content) });
    const again = await keepRefused(data, { name: 'b.json', bytes: content, refusal: unreadable(content) });
    expect(again).toBe(first);
    expect(inside()).toHaveLength(2);
    const other = await keepRefused(data, {
      name: 'a.json',
      bytes: bytes('other'),
      refusal: unreadable(bytes('other')),
    });
    expect(other).not.toBe(first);
    expect(await listRefused(data)).toHaveLength(2);
  });

  it.each(NAMES)('I11 C87 the name %j stays inside the folder and is listed as it was', async (name) => {
    const content = bytes(`for ${name}`);
    const file = await keepRefused(data, { name, bytes: content, refusal: unreadable(content) });
    expect(file).toMatch(/^[A-Za-z0-9][A-Za-z0-9_.-]*$/);
    expect(file.split('.')[0]?.toLowerCase()).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)$/);
    expect(file.length).toBeLessThan(160);
    expect(inside()).toEqual([file, `${file}.reason.json`]);
    expect(readdirSync(parent)).toEqual(['data']);
    expect(readdirSync(data)).toEqual(['refused']);
    const [listed] = await listRefused(data);
    expect(listed).toMatchObject({ file, originalName: name, size: content.length, kept: true });
  });

  it('never gives two things one name', () => {
    const names = NAMES.map((name, at) => refusedName(name, String(at).padStart(32, '0')));
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(NAMES.length);
  });

  it.each(['../settings.json', '..', '.', '', 'a/b', '/etc/passwd', 'x\0y', '..\\x'])(
    'I11 reads nothing outside the folder: %j',
    async (file) => {
      writeFileSync(join(data, 'settings.json'), 'secret');
      mkdirSync(join(data, 'refused'));
      expect(refusalOf(await readRefused(data, file))).toBe('bad_request');
    },
  );

  it('follows no link that lies in the folder, and lists it', async () => {
    mkdirSync(join(data, 'refused'));
    writeFileSync(join(parent, 'secret'), 'secret');
    symlinkSync(join(parent, 'secret'), join(data, 'refused/link.json'));
    mkdirSync(join(data, 'refused/folder.json'));
    execFileSync('mkfifo', [join(data, 'refused/pipe.json')]);
    const listed = await listRefused(data);
    expect(listed.map((one) => [one.file, one.kept])).toEqual([
      ['folder.json', false],
      ['link.json', false],
      ['pipe.json', false],
    ]);
    expect(listed.every((one) => one.reason.text.includes('no file'))).toBe(true);
    for (const { file } of listed) expect(refusalOf(await readRefused(data, file))).toBe('unreadable');
  });

  it('lists a file without a reason, a reason that is broken, and a reason without its file', async () => {
    mkdirSync(join(data, 'refused'));
    writeFileSync(join(data, 'refused/put here.json'), 'by hand');
    writeFileSync(join(data, 'refused/broken.json'), 'x');
    writeFileSync(join(data, 'refused/broken.json.reason.json'), '{');
    const note = await noteRefused(data, {
      name: 'gone.json',
      left: 'gone.json',
      size: null,
      refusal: refused('unreadable', 'why').refusal,
      source: 'local',
    });
    const listed = new Map((await listRefused(data)).map((one) => [one.file, one]));
    expect(listed.get('put here.json')).toMatchObject({ kept: true, size: 7, originalName: 'put here.json' });
    expect(listed.get('broken.json')?.reason.text).toContain('cannot be read');
    expect(listed.get(note)).toMatchObject({
      kept: false,
      originalName: 'gone.json',
      reason: { left: 'gone.json', text: 'why' },
    });
    expect(refusalOf(await readRefused(data, note))).toBe('not_found');
    expect(unwrap(await readRefused(data, 'put here.json'))).toEqual(bytes('by hand'));
    await dropNote(data, note);
    expect((await listRefused(data)).map((one) => one.file)).toEqual(['broken.json', 'put here.json']);
  });

  it('moves a file as it is, so that a late writer loses nothing', async () => {
    const path = join(data, 'late.json');
    writeFileSync(path, 'half');
    const before = statSync(path).ino;
    const file = await moveRefused(data, {
      path,
      name: 'late.json',
      digest: 'a'.repeat(32),
      size: 4,
      refusal: refused('unreadable', 'half').refusal,
      source: 'local',
    });
    expect(existsSync(path)).toBe(false);
    expect(statSync(join(data, 'refused', file)).ino).toBe(before);
  });

  it('leaves no reason behind that it could not write, and no half file', async () => {
    writeFileSync(join(data, 'refused'), 'a file where the folder should be');
    const keeping = keepRefused(data, { name: 'a', bytes: bytes('a'), refusal: refused('unreadable', 'x').refusal });
    await expect(keeping).rejects.toThrow();
    expect(readFileSync(join(data, 'refused'), 'utf8')).toBe('a file where the folder should be');
  });

  it('H2 forgets an unsettled record once it is in the store, and nothing else', async () => {
    const waits = refused('unsettled', 'claimed').refusal;
    await keepRefused(data, { name: 'a.json', bytes: bytes('later'), refusal: waits });
    await keepRefused(data, { name: 'b.json', bytes: bytes('never'), refusal: unreadable(bytes('never')) });
    expect((await listRefused(data)).map((one) => one.reason.code).sort()).toEqual(['syntax', 'unsettled']);
    await forgetUnsettled(data, bytes('later'));
    await forgetUnsettled(data, bytes('never'));
    expect((await listRefused(data)).map((one) => one.originalName)).toEqual(['b.json']);
  });

  it('keeps a moved file from others (0600), and a link as it is', async () => {
    const path = join(parent, 'open.json');
    writeFileSync(path, 'open', { mode: 0o666 });
    chmodSync(path, 0o666);
    const move = { name: 'open.json', size: 4, refusal: refused('unreadable', 'x').refusal, source: null };
    const file = await moveRefused(data, { ...move, path, digest: 'b'.repeat(32) });
    expect(statSync(join(data, 'refused', file)).mode & 0o777).toBe(0o600);
    const target = join(parent, 'target');
    writeFileSync(target, 'mine');
    chmodSync(target, 0o644);
    symlinkSync(target, path);
    await moveRefused(data, { ...move, path, digest: 'c'.repeat(32) });
    expect(statSync(target).mode & 0o777).toBe(0o644);
  });

  it('I5 keeps bytes again whose kept file was removed by hand, and sees what changed by hand', async () => {
    const refusal = refused('unreadable', 'x').refusal;
    const file = await keepRefused(data, { name: 'a.json', bytes: bytes('a'), refusal });
    const path = join(data, 'refused', file);
    rmSync(path);
    expect(await keepRefused(data, { name: 'a.json', bytes: bytes('a'), refusal })).toBe(file);
    expect(readFileSync(path, 'utf8')).toBe('a');
    // Removed within one tick of the folder's clock: its time of change is the one that is remembered.
    const setTime = () => utimesSync(join(data, 'refused'), 1000, 1000);
    await keepRefused(data, { name: 'b.json', bytes: bytes('b'), refusal });
    setTime();
    await forgetUnsettled(data, bytes('looks at the folder'));
    rmSync(path);
    setTime();
    expect(await keepRefused(data, { name: 'a.json', bytes: bytes('a'), refusal })).toBe(file);
    expect(readFileSync(path, 'utf8')).toBe('a');
    expect((await listRefused(data)).map((one) => one.originalName)).toEqual(['a.json', 'b.json']);
    writeFileSync(`${path}.reason.json`, 'no reason at all');
    expect((await listRefused(data))[0]?.reason.text).toContain('cannot be read');
    rmSync(`${path}.reason.json`);
    expect((await listRefused(data))[0]?.reason.text).toContain('nothing says why');
  });

  it('reads the folder and each reason once for a flood of bad files, not once for each of them', async () => {
    const refusal = refused('unreadable', 'x').refusal;
    for (let n = 0; n < 30; n++) await keepRefused(data, { name: `${n}`, bytes: bytes(`${n}`), refusal });
    calls.readdir = 0;
    calls.readFile = 0;
    for (let n = 0; n < 60; n++) await keepRefused(data, { name: `${n}`, bytes: bytes(`${n}`), refusal });
    expect(calls.readdir).toBeLessThanOrEqual(1);
    expect(await listRefused(data)).toHaveLength(60);
    expect(calls.readFile).toBe(60);
    await keepRefused(data, { name: 'more', bytes: bytes('more'), refusal });
    expect(await listRefused(data)).toHaveLength(61);
    expect(calls.readFile).toBe(61);
  });
});
