import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HEADS, JOURNALS } from '../../electron/checkpoints/keys.js';
import { examineIndex } from '../../electron/engine/doctor-index.js';
import { NewestFiles } from '../../electron/engine/newest-files.js';
import { takeOwnership } from '../../electron/owner.js';
import { keysIn, lookAt } from '../../electron/store/audit.js';
import { openStore } from '../../electron/store/file-store.js';
import { MemoryStore } from '../../electron/store/memory-store.js';
import { run, runJson } from '../helpers/cli-run.js';
import { pictureOf } from '../helpers/folder-picture.js';
import { forge, type KeptWorld, keptWorld, NAME, OTHER, seal } from '../helpers/kept-world.js';
import { recordFile, tempFolder } from '../helpers/store-folder.js';
import { unwrap } from '../helpers/world.js';

vi.setConfig({ testTimeout: 60_000 });

interface Told {
  level: string;
  what: string;
  text: string;
  file?: string;
  advice?: string;
  mend?: string;
}

let kept: KeptWorld;
let away = '';
beforeEach(async () => {
  kept = await keptWorld();
  await seal(kept);
  for (const bucket of [HEADS, JOURNALS]) await kept.store.keysPage(bucket, null, 9);
  await kept.store.close();
  for (const name of ['inbox', 'refused']) mkdirSync(join(kept.data, name), { mode: 0o700 });
  away = mkdtempSync(join(tmpdir(), 'holdpoint-away-'));
});
afterEach(() => rmSync(away, { recursive: true, force: true }));

const DAY = 24 * 3600_000;
const file = (bucket: string, revision: number, name = NAME) => recordFile(kept.root, bucket, name, revision);
const picture = () => pictureOf(kept.data, '');
async function doctor(
  ...options: string[]
): Promise<{ code: number; findings: Told[]; value: Record<string, unknown> }> {
  const { code, value } = await runJson(['doctor', ...options, '--data', kept.data]);
  return { code, findings: (value['findings'] as Told[]).filter(({ level }) => level !== 'ok'), value };
}
const old = (path: string, days: number) => {
  const at = new Date(Date.now() - days * DAY);
  utimesSync(path, at, at);
};

/** A temp file of a process that is gone, a payload that no record names, an index that tells something else. */
function mendable(): { temp: string; payload: string; index: string } {
  const temp = join(kept.root, 'tmp', 'aaaaaaaaaaaaaaaa-1-0-1-deadbeef');
  writeFileSync(temp, 'half');
  old(temp, 40);
  const sha256 = '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae';
  const payload = join(kept.root, 'p', sha256.slice(0, 2), sha256);
  mkdirSync(dirname(payload), { recursive: true });
  writeFileSync(payload, 'foo');
  old(payload, 8);
  return { temp, payload, index: join(kept.root, 'idx') };
}

describe('doctor', () => {
  it('finds a healthy store healthy', async () => {
    const { code, findings } = await doctor();
    expect([code, findings]).toEqual([0, []]);
  });

  it.each<[string, () => void | Promise<void>, Partial<Record<keyof Told, unknown>>]>([
    [
      'a gap',
      () => rmSync(file(JOURNALS, 2)),
      { what: 'history', text: expect.stringContaining('Revision 2 is missing') },
    ],
    [
      'an altered revision',
      () => void forge(file(JOURNALS, 2), (body) => body.replace('issue_refund', 'issue_refunt')),
      { what: 'history', text: expect.stringContaining('names another revision before it') },
    ],
    [
      'a record that is cut',
      () => writeFileSync(file(HEADS, 1, `klieo:local:1:${OTHER}`), 'cut'),
      {
        what: HEADS,
        file: expect.stringMatching(/^store\/k\/suspensions\//),
        text: expect.stringContaining('header'),
        advice: expect.stringContaining('--export'),
      },
    ],
    [
      'a conflict copy',
      () => copyFileSync(file(JOURNALS, 1), file(JOURNALS, 1).replace('.json', ' (conflicted copy).json')),
      { what: JOURNALS, text: expect.stringContaining('copy') },
    ],
    [
      'a foreign name',
      () => writeFileSync(join(dirname(file(JOURNALS, 1)), 'holiday.jpg'), 'x'),
      { what: 'foreign files', file: expect.stringContaining('holiday.jpg') },
    ],
    [
      'an altered payload',
      () => appendFileSync(mendable().payload, 'x'),
      { what: 'payloads', level: 'problem', text: expect.stringContaining('does not match its name') },
    ],
    [
      'a clock that is behind the records',
      () => old(file(JOURNALS, 1, NAME).replace('0000000001', '0000000004'), -3),
      { what: 'clock', level: 'warning', text: expect.stringContaining('still to come') },
    ],
  ])('says in words where %s is, and changes nothing', async (_what, spoil, expected) => {
    await spoil();
    const before = picture();
    const { findings } = await doctor();
    expect(findings).toContainEqual(expect.objectContaining(expected));
    expect(picture()).toEqual(before);
    const said = await run(['doctor', '--data', kept.data]);
    const found = findings.find(({ what }) => what === expected.what);
    expect(said.out).toContain(found?.text.split('; this machine')[0] ?? '?');
    expect(picture()).toEqual(before);
  });

  it('finds an index that tells something else than the files', async () => {
    const store = new MemoryStore();
    await store.put('runs', 'same', new Uint8Array(), { meta: 'm' });
    await store.put('runs', 'behind', new Uint8Array());
    await store.put('runs', 'other', new Uint8Array(), { meta: 'm' });
    const files = async (contents: [key: string, meta: string, revisions: number][]) => {
      const root = tempFolder();
      const real = await openStore(root, { ballastBytes: 0 });
      for (const [key, meta, revisions] of contents)
        for (let n = 0; n < revisions; n += 1) await real.put('runs', key, new Uint8Array(), { meta });
      await real.close();
      const audited = lookAt(root);
      const newest = new NewestFiles(Date.now());
      for (const key of keysIn(audited, 'runs')) newest.note(key);
      return examineIndex(audited, store, newest);
    };
    const told = await files([
      ['same', 'm', 1],
      ['behind', '', 2],
      ['other', 'n', 1],
      ['unlisted', '', 1],
    ]);
    expect(told.map(({ text, mend, level }) => [text, mend, level])).toEqual([
      ['runs behind: listed as revision 1, not as it is', 'index', 'problem'],
      ['runs other: listed as revision 1, not as it is', 'index', 'problem'],
      ['runs unlisted: there, and not listed', 'index', 'problem'],
    ]);
    const well = await files([
      ['same', 'm', 1],
      ['behind', '', 1],
      ['other', 'm', 1],
    ]);
    expect(well).toMatchObject([{ level: 'ok' }]);
  });

  it('refuses a newer store in words, and changes nothing', async () => {
    const path = join(kept.root, 'STORE.json');
    writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), format: 99 }));
    const before = picture();
    const { code, findings } = await doctor('--mend');
    expect(code).toBe(5);
    expect(findings).toContainEqual(
      expect.objectContaining({
        text: expect.stringContaining('newer Holdpoint'),
        advice: expect.stringContaining('Nothing was changed'),
      }),
    );
    expect(picture()).toEqual(before);
  });
});

describe('doctor --mend', () => {
  it('does nothing unless it is asked, and then only what is safe, each act told before and after', async () => {
    const { temp, payload } = mendable();
    const young = join(kept.root, 'tmp', 'aaaaaaaaaaaaaaaa-1-0-1-cafecafe');
    writeFileSync(young, 'at work');
    writeFileSync(file(HEADS, 1, `klieo:local:1:${OTHER}`), 'cut');
    const before = picture();
    const first = await doctor();
    expect(
      first.findings
        .filter(({ mend }) => mend)
        .map(({ mend }) => mend)
        .sort(),
    ).toEqual(['payloads', 'temps']);
    expect(picture()).toEqual(before);
    const said = await run(['doctor', '--mend', '--data', kept.data]);
    expect(said.code).toBe(5);
    for (const path of [temp, payload]) {
      expect(said.out).toContain(basename(path));
      expect(existsSync(path)).toBe(false);
    }
    expect(said.out.match(/^ {2}removing .* …$/gm)).toHaveLength(2);
    expect(said.out.match(/^ {2}done$/gm)).toHaveLength(2);
    const gone = before.filter((line) => [temp, payload].some((path) => line.startsWith(`${path} `)));
    const folders = (lines: string[]) => lines.filter((line) => !line.includes(' no file '));
    expect(folders(picture())).toEqual(folders(before).filter((line) => !gone.includes(line)));
    expect(existsSync(young)).toBe(true);
  });

  it('removes no payload while a window is open, or that a record names by then', async () => {
    const { payload } = mendable();
    const owned = unwrap(await takeOwnership(kept.data));
    const { value } = await doctor('--mend');
    expect(value['mended']).toContainEqual(
      expect.objectContaining({ mend: 'payloads', failed: expect.stringContaining('window is open') }),
    );
    expect(existsSync(payload)).toBe(true);
    await owned.release();
    old(payload, 1);
    expect((await doctor('--mend')).value['mended']).not.toContainEqual(expect.objectContaining({ mend: 'payloads' }));
    expect(existsSync(payload)).toBe(true);
  });
});

describe('doctor --export', () => {
  it('copies what cannot be read byte for byte, with the reasons, and touches nothing', async () => {
    const bad = file(HEADS, 1, `klieo:local:1:${OTHER}`);
    writeFileSync(bad, Buffer.from([0, 255, 1, 254]));
    const before = picture();
    const to = join(away, 'out');
    const { code, value } = await doctor('--export', to);
    expect(code).toBe(5);
    const reasons = JSON.parse(readFileSync(join(to, 'reasons.json'), 'utf8')) as {
      files: { from: string; to: string; reason: string }[];
    };
    expect(reasons.files).toMatchObject([
      { from: bad.slice(kept.data.length + 1), reason: expect.stringContaining('header') },
    ]);
    expect(value['exported']).toMatchObject({ files: reasons.files });
    expect(readFileSync(join(to, reasons.files[0]?.to ?? ''))).toEqual(readFileSync(bad));
    expect(picture()).toEqual(before);
    expect((await run(['doctor', '--export', to, '--data', kept.data])).code).toBe(2);
  });
});
