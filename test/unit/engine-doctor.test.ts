import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readHead, writeHead } from '../../electron/checkpoints/records.js';
import { openDataFolder } from '../../electron/data-folder.js';
import { examine } from '../../electron/engine/doctor.js';
import type { DoctorReport, Finding } from '../../electron/engine/finding.js';
import { openEngine } from '../../electron/engine.js';
import { thisProcess } from '../../electron/identity.js';
import { takeOwnership } from '../../electron/owner.js';
import { keepRefused } from '../../electron/refused.js';
import { openStore } from '../../electron/store/file-store.js';
import { refused } from '../../shared/refusal.js';
import { pictureOf } from '../helpers/folder-picture.js';
import { klieo, klieoRecord, unwrap } from '../helpers/world.js';

// Real files on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 });

let data = '';
beforeEach(() => {
  data = join(mkdtempSync(join(tmpdir(), 'holdpoint-doctor-')), 'data');
});
afterEach(() => rmSync(join(data, '..'), { recursive: true, force: true }));

const folderOf = () => unwrap(openDataFolder({ path: data, rule: 'option', said: '--data' }, { make: false }));
const doctor = (): Promise<DoctorReport> => examine(folderOf());

const about = (report: DoctorReport, what: string): Finding[] =>
  report.findings.filter((finding) => finding.what === what);

/** A store with one small record and one whose bytes are a payload. */
async function filled(): Promise<void> {
  const engine = await openEngine({ dataFolder: data });
  unwrap(await engine.suspend(klieo('01-first-attempt-one-pending.json')));
  const big = `{"role":"user","content":"${'x'.repeat(20_000)}","tool_calls":[],"tool_call_id":null}`;
  unwrap(await engine.suspend(klieoRecord({ runId: '01K0QZ6V5M3H8D7N2B4C9F1XGB', messages: big, calls: [] })));
  await engine.close();
}

/** Files below a folder, deepest paths included. */
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
  );

describe('doctor', () => {
  it('finds a healthy folder healthy, and changes nothing in it', async () => {
    await filled();
    const files = () => pictureOf(data, '');
    const before = files();
    const report = await doctor();
    expect(report.findings.filter((finding) => finding.level !== 'ok')).toEqual([]);
    expect(report.ok).toBe(true);
    expect(about(report, 'suspensions')).toMatchObject([{ text: '2 can be read.' }]);
    expect(files()).toEqual(before);
  });

  it('makes no store where there is none', async () => {
    mkdirSync(data, { mode: 0o700 });
    const report = await doctor();
    expect(report.ok).toBe(true);
    expect(about(report, 'records')).toMatchObject([{ level: 'ok', text: 'There is no store yet.' }]);
    expect(readdirSync(data)).toEqual([]);
  });

  it('I5 names every record that cannot be read', async () => {
    await filled();
    for (const path of filesIn(join(data, 'store/k/suspensions')).filter((name) => name.endsWith('.json')))
      writeFileSync(path, 'cut');
    const report = await doctor();
    expect(report.ok).toBe(false);
    const bad = about(report, 'suspensions').filter((finding) => finding.level === 'problem');
    expect(bad).toHaveLength(2);
    expect(bad.map((finding) => finding.text).join()).toContain('klieo:local:1:01K0QZ6V5M3H8D7N2B4C9F1XGA');
  });

  it('I5 finds a head that does not fit its record', async () => {
    await filled();
    const store = await openStore(join(data, 'store'), { ballastBytes: 0 });
    const key = { system: 'klieo' as const, source: 'local', runId: '01K0QZ6V5M3H8D7N2B4C9F1XGA', seq: 1 };
    const at = await readHead(store, key);
    if (at === null) throw new Error('no head');
    await writeHead(store, { ...at.head, digest: '0'.repeat(64) }, at.revision);
    await store.close();
    expect(about(await doctor(), 'suspensions')).toMatchObject([
      { level: 'problem', text: expect.stringContaining('its bytes are not those that were taken in') },
    ]);
  });

  it('I5 finds bytes that are gone', async () => {
    await filled();
    const payloads = filesIn(join(data, 'store/p')).filter((path) => statSync(path).size > 1000);
    expect(payloads).toHaveLength(1);
    rmSync(payloads[0] ?? '');
    const report = await doctor();
    expect(report.ok).toBe(false);
    expect(
      about(report, 'suspensions')
        .map((finding) => finding.text)
        .join(),
    ).toContain('payload');
  });

  it('says that a store cannot be opened', async () => {
    await filled();
    writeFileSync(join(data, 'store/STORE.json'), '{"holdpoint":"store","format":99}');
    const report = await doctor();
    expect([report.ok, about(report, 'records')]).toMatchObject([false, [{ level: 'problem' }]]);
    expect(about(report, 'records')[0]?.text).toContain('newer Holdpoint');
  });

  it('says that a copied store is read-only (H16)', async () => {
    await filled();
    const file = join(data, 'store/STORE.json');
    const store = JSON.parse(readFileSync(file, 'utf8')) as { home: { host: string } };
    writeFileSync(file, JSON.stringify({ ...store, home: { ...store.home, host: 'f'.repeat(16) } }));
    expect(about(await doctor(), 'records')).toMatchObject([
      { level: 'problem', text: expect.stringContaining('read-only') },
    ]);
  });

  it('warns of rights, of settings, of a dead window, of what waits and what was left', async () => {
    await filled();
    chmodSync(data, 0o755);
    writeFileSync(join(data, 'settings.json'), '{');
    unwrap(await takeOwnership(data, { ...thisProcess('the window'), boot: 'another' }));
    writeFileSync(join(data, 'inbox/waits.json'), '{}');
    writeFileSync(join(data, 'inbox/not yet.tmp'), '{}');
    writeFileSync(join(data, 'store/tmp/left'), '');
    await keepRefused(data, {
      name: 'bad.json',
      bytes: new Uint8Array([1]),
      refusal: refused('unreadable', 'x').refusal,
    });
    const report = await doctor();
    expect(report.ok).toBe(true);
    const warnings = report.findings.filter((finding) => finding.level === 'warning');
    expect(warnings.map((finding) => finding.what).sort()).toEqual([
      'data folder',
      'leftovers of interrupted writes',
      'refused files',
      'settings',
      'waiting in the inbox',
      'window',
    ]);
    expect(about(report, 'waiting in the inbox')[0]?.text).toContain('1 that no window has taken yet: waits.json');
    expect(about(report, 'refused files')[0]?.text).toContain('bad.json');
  });

  it('names a window that is open', async () => {
    await filled();
    const owned = unwrap(await takeOwnership(data, thisProcess('the window')));
    expect(about(await doctor(), 'window')).toMatchObject([
      { level: 'ok', text: expect.stringContaining(String(process.pid)) },
    ]);
    await owned.release();
  });

  it('finds that a part of the folder is a file', async () => {
    mkdirSync(data, { mode: 0o700 });
    writeFileSync(join(data, 'inbox'), '');
    expect(about(await doctor(), 'inbox')).toMatchObject([{ level: 'problem' }]);
  });
});
