import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { longActs } from '../../electron/handlers/under-way.js';
import { writeWhole } from '../../electron/keep/export-history.js';
import { importBackup } from '../../electron/keep/import-backup.js';
import { makeBackup } from '../../electron/keep/make-backup.js';
import { isSidePlace } from '../../electron/keep/side-files.js';
import { Stopped } from '../../electron/keep/under-way.js';
import { keepRefused, listRefused, noteRefused } from '../../electron/refused.js';
import { readSettings } from '../../electron/settings-file.js';
import { lookAt } from '../../electron/store/audit.js';
import { MemoryStore } from '../../electron/store/memory-store.js';
import { accepted, refused } from '../../shared/refusal.js';
import { Settings } from '../../shared/settings.js';
import { run, runJson } from '../helpers/cli-run.js';
import { type KeptWorld, keptWorld, OTHER } from '../helpers/kept-world.js';
import { tempFolder } from '../helpers/store-folder.js';
import { unwrap, World } from '../helpers/world.js';

vi.setConfig({ testTimeout: 60_000 });

const SECRET = 'sk-live-4242424242424242424242';
const settings = Settings.parse({
  reviewer: 'Ada',
  servers: [
    {
      kind: 'stdio',
      name: 'ledger',
      command: '/bin/x',
      args: ['--token', SECRET, '--api-key', 'hunter2abcdef'],
      env: { API_KEY: SECRET },
    },
  ],
});

let kept: KeptWorld;
let file = '';
/** A data folder with settings, a refused file, a note on the inbox, and files that wait in it. */
beforeEach(async () => {
  kept = await keptWorld();
  file = join(kept.data, '..', 'all.backup');
  for (const name of ['inbox', 'inbox/ops', 'refused']) mkdirSync(join(kept.data, name), { mode: 0o700 });
  writeFileSync(join(kept.data, 'settings.json'), JSON.stringify({ settings }));
  writeFileSync(join(kept.data, 'secrets.json'), '{"v":1,"keys":[{"name":"m","weak":false,"value":"AAAA"}]}');
  writeFileSync(join(kept.data, 'inbox', 'one.json'), '{"one":1}');
  writeFileSync(join(kept.data, 'inbox', 'ops', 'two.json'), '{"two":2}');
  writeFileSync(join(kept.data, 'inbox', '.half.tmp'), '{');
  const { refusal } = refused('unreadable', 'It is cut.');
  await keepRefused(kept.data, { name: 'bad.json', bytes: new TextEncoder().encode('{"bad'), refusal });
  await noteRefused(kept.data, { name: 'pipe', left: 'pipe', size: null, refusal, source: 'local' });
});

const plan = () => ({ by: 'Ada', madeAt: '2026-07-20T10:00:00Z', chosen: null, dataFolder: kept.data });
const backUp = () =>
  writeWhole(
    file,
    makeBackup(lookAt(kept.root), plan(), () => undefined),
    { replace: true },
  );

async function bringIn(
  dataFolder: string,
  options: { update?: string[]; save?: ((next: Settings) => ReturnType<typeof saved>) | null; dryRun?: boolean } = {},
) {
  const { update = [], save = null, dryRun = false } = options;
  const store = new MemoryStore();
  const here = () => readSettings(join(dataFolder, 'settings.json')).settings;
  const side = { dataFolder, settings: here, save };
  const done = await importBackup(store, new World({}, store).ports, file, {
    dryRun,
    update: new Set(update),
    by: 'Bob',
    side,
  });
  return unwrap(done).rows.filter(({ what }) => what !== undefined);
}
const saved = async () => accepted(null);
const acts = (rows: Awaited<ReturnType<typeof bringIn>>) =>
  rows.map(({ what, suspension, relation, act }) => [what, suspension.replace(/-[0-9a-f]{32}/, ''), relation, act]);

describe('a backup of everything', () => {
  it('has settings without secrets, what was refused and why, and what waits in the inbox; never a key', async () => {
    await backUp();
    const text = readFileSync(file, 'utf8');
    const files = text.split('\n').flatMap((line) => {
      const value = line === '' ? {} : (JSON.parse(line) as { t?: string; file?: string; base64?: string });
      return value.t === 'file' ? [[value.file ?? '', Buffer.from(value.base64 ?? '', 'base64').toString()]] : [];
    });
    expect(files.map(([name = '']) => name.replace(/-[0-9a-f]{32}/, ''))).toEqual([
      'inbox/one.json',
      'inbox/ops/two.json',
      'settings.json',
      'refused/bad.json',
      'refused/bad.json.reason.json',
      'refused/pipe.reason.json',
    ]);
    const own = files.find(([name]) => name === 'settings.json')?.[1] ?? '';
    expect(own).toContain('"reviewer": "Ada"');
    expect(own).toContain('"API_KEY": ""');
    expect(own).not.toContain('hunter2abcdef');
    expect(files.map(([, content]) => content).join()).not.toContain(SECRET);
    expect(text).not.toContain('"keys":[{');
  });

  it('what leaves the inbox while the store is read was read before', async () => {
    let text = '';
    for await (const line of makeBackup(lookAt(kept.root), plan(), () => undefined)) {
      text += line;
      if (line.includes('"t":"record"')) rmSync(join(kept.data, 'inbox', 'one.json'), { force: true });
    }
    expect(text).toContain('"file":"inbox/one.json"');
  });

  it('a selection of runs has none of it, and settings that cannot be read are named and left out', async () => {
    const some = { ...plan(), chosen: new Set([`klieo:local:1:${OTHER}`]) };
    await writeWhole(
      file,
      makeBackup(lookAt(kept.root), some, () => undefined),
      { replace: true },
    );
    expect(readFileSync(file, 'utf8')).not.toContain('"t":"file"');
    writeFileSync(join(kept.data, 'settings.json'), `{"settings": {"x": "${SECRET}"`);
    const said = await runJson(['backup', `${file}2`, '--data', kept.data]);
    expect(said.value).toMatchObject({ left: ['settings.json'], files: 5 });
  });

  it('is laid out whole with --into', async () => {
    await backUp();
    const into = join(tempFolder(), 'into');
    expect((await run(['import', file, '--into', into])).code).toBe(0);
    expect(readSettings(join(into, 'settings.json')).settings.reviewer).toBe('Ada');
    expect(readFileSync(join(into, 'inbox', 'ops', 'two.json'), 'utf8')).toBe('{"two":2}');
    expect((await listRefused(into)).map(({ originalName, kept: has }) => [originalName, has])).toEqual([
      ['bad.json', true],
      ['pipe', false],
    ]);
  });

  it('comes into another folder; conflicts are shown, and nothing there is written over', async () => {
    await backUp();
    const other = tempFolder();
    mkdirSync(join(other, 'inbox'));
    writeFileSync(join(other, 'inbox', 'one.json'), '{"another":1}');
    writeFileSync(join(other, 'settings.json'), '{"settings":{"reviewer":"Bob"}}');
    const rows = await bringIn(other);
    expect(acts(rows)).toEqual([
      ['inbox', 'inbox/one.json', 'diverged', 'stays_out'],
      ['inbox', 'inbox/ops/two.json', 'absent', 'take_in'],
      ['refused', 'refused/bad.json', 'absent', 'add'],
      ['refused', 'refused/bad.json.reason.json', 'absent', 'add'],
      ['refused', 'refused/pipe.reason.json', 'absent', 'stays_out'],
      ['settings', 'settings.json', 'diverged', 'stays_out'],
    ]);
    expect(readFileSync(join(other, 'inbox', 'one.json'), 'utf8')).toBe('{"another":1}');
    expect(readFileSync(join(other, 'inbox', 'ops', 'two.json'), 'utf8')).toBe('{"two":2}');
    expect((await listRefused(other)).map(({ originalName, kept: has }) => [originalName, has])).toEqual([
      ['bad.json', true],
    ]);
    expect(readSettings(join(other, 'settings.json')).settings.reviewer).toBe('Bob');
    const again = await bringIn(other);
    expect(again.filter(({ act }) => act === 'take_in' || act === 'add')).toEqual([]);
  });

  it('settings come in when they are named, through the one who saves them, with the secrets of this machine', async () => {
    await backUp();
    const other = tempFolder();
    const own = Settings.parse({
      reviewer: 'Bob',
      servers: [{ kind: 'stdio', name: 'ledger', command: '/y', args: ['--token', SECRET], env: { API_KEY: 'mine' } }],
    });
    writeFileSync(join(other, 'settings.json'), JSON.stringify({ settings: own }));
    const save = vi.fn(saved);
    const [row] = (await bringIn(other, { save, dryRun: true })).slice(-1);
    expect([row?.mayName, save.mock.calls.length]).toEqual([true, 0]);
    await bringIn(other, { save, update: ['settings.json'] });
    expect(save.mock.calls).toMatchObject([
      [
        {
          reviewer: 'Ada',
          servers: [
            {
              command: '/bin/x',
              args: ['--token', SECRET, '--api-key', expect.stringContaining('13 characters')],
              env: { API_KEY: 'mine' },
            },
          ],
        },
      ],
    ]);
    const declined = async () => refused('not_allowed', 'You declined.');
    const [left] = (await bringIn(other, { save: declined as never, update: ['settings.json'] })).slice(-1);
    expect(left).toMatchObject({ act: 'stays_out', why: 'You declined.' });
  });

  it('I11 no path of a backup leads out of the places that it may fill', () => {
    for (const good of ['settings.json', 'refused/a-1.json', 'inbox/a.json', 'inbox/ops/a b (1).json'])
      expect([good, isSidePlace(good)]).toEqual([good, true]);
    for (const bad of [
      '../settings.json',
      'secrets.json',
      'owner.json',
      'store/STORE.json',
      'refused/../x',
      'refused/a/b',
      'inbox/../../x',
      'inbox/a/b/c',
      'inbox/CON.json',
      'inbox/x.',
      'inbox/.hidden',
      'inbox//x',
      '/etc/passwd',
      'inbox/a\\b',
    ])
      expect([bad, isSidePlace(bad)]).toEqual([bad, false]);
  });
});

describe('a long act', () => {
  it('tells how far it is; stopped, a backup leaves no file and an import brings nothing in', async () => {
    const seen: [number, number][] = [];
    const stop = new AbortController();
    const way = { progress: (done: number, all: number) => void seen.push([done, all]), signal: stop.signal };
    await writeWhole(
      file,
      makeBackup(lookAt(kept.root), { ...plan(), ...way }, () => undefined),
      { replace: true },
    );
    const [last] = seen.slice(-1);
    expect(last?.[0]).toBe(last?.[1]);
    stop.abort();
    const to = join(tempFolder(), 'stopped.backup');
    const parts = makeBackup(lookAt(kept.root), { ...plan(), signal: stop.signal }, () => undefined);
    await expect(writeWhole(to, parts, { replace: true })).rejects.toBeInstanceOf(Stopped);
    expect([existsSync(to), readdirSync(join(to, '..'))]).toEqual([false, []]);
    const store = new MemoryStore();
    const options = { dryRun: false, update: new Set<string>(), by: 'Bob', signal: stop.signal };
    const done = await importBackup(store, new World({}, store).ports, file, options);
    expect(done.ok || done.refusal.code).toBe('stopped');
    expect((await store.keysPage('suspensions', null, 9)).heads).toEqual([]);
  });

  it('is one at a time; from where nothing can be taken back it cannot be stopped', async () => {
    const told = vi.fn();
    const long = longActs({ broadcast: told });
    const state = () => long.handlers['keep:state']();
    const done = await long.run('move', async (way) => {
      way.progress(1, 4);
      expect(await state()).toEqual(accepted({ act: 'move', done: 1, all: 4, mayStop: true }));
      expect(await long.run('backup', async () => accepted(null))).toMatchObject({ refusal: { code: 'not_allowed' } });
      way.goesOn();
      expect(await long.handlers['keep:stop']()).toEqual(accepted(false));
      expect(way.signal.aborted).toBe(false);
      return accepted('moved');
    });
    expect([done, await state()]).toEqual([accepted('moved'), accepted(null)]);
    expect(told).toHaveBeenCalledWith('keep:changed');
    await long.run('backup', async (way) => {
      expect(await long.handlers['keep:stop']()).toEqual(accepted(true));
      expect(way.signal.aborted).toBe(true);
      return accepted(null);
    });
  });
});
