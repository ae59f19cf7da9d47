import { type FSWatcher, readdirSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sweep } from '../../electron/checkpoints/gc.js';
import { readHead, readOriginal } from '../../electron/checkpoints/records.js';
import { listRows } from '../../electron/checkpoints/rows.js';
import { listRefused, readRefused } from '../../electron/refused.js';
import { openStore } from '../../electron/store/file-store.js';
import type { FileStore } from '../../electron/store/opened-store.js';
import { pictureOf } from '../helpers/folder-picture.js';
import { Box } from '../helpers/inbox-box.js';
import { caseFile, FIXTURES, klieoRecord, unwrap } from '../helpers/world.js';

// Real files on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 });

let box: Box;
let store: FileStore | null = null;
beforeEach(() => {
  box = new Box();
});
afterEach(async () => {
  await store?.close();
  store = null;
  box.remove();
});

const rows = () => listRows(box.world.store, box.world.ports, () => null);

describe('C78 a file of 0 bytes', () => {
  it('does not stop the good run: the three others are listed with size and reason, and can be exported', async () => {
    const folder = join(FIXTURES, 'cases/C78-zero-byte-file/store');
    const files = readdirSync(folder);
    for (const name of files) box.publish(name, readFileSync(join(folder, name)));
    await box.settle(5000);
    expect(await rows()).toMatchObject([{ status: 'waiting' }]);
    const refused = await listRefused(box.data);
    expect(refused.map((one) => [one.originalName, one.size, one.kept]).sort()).toEqual([
      ['blank.json', 4, true],
      ['empty.json', 0, true],
      ['null.json', 5, true],
    ]);
    for (const one of refused) {
      expect(one.reason.text.length).toBeGreaterThan(5);
      const exported = unwrap(await readRefused(box.data, one.file));
      expect(Buffer.from(exported)).toEqual(readFileSync(join(folder, one.originalName)));
    }
    expect(refused.map((one) => one.reason.code).sort()).toEqual(['empty', 'empty', 'unknown_format']);
  });
});

describe('C80 byte order marks and encodings', () => {
  it.each([
    ['bom-crlf.json', 'bom', /BOM/],
    ['utf16le.json', 'utf16', /UTF-16/],
    ['latin1.json', 'not_utf8', /Latin-1/],
    ['overlong.json', 'not_utf8', /overlong/],
    ['lone-surrogate.json', 'lone_surrogate', /line \d+, column \d+.*surrogate/],
  ])('%s is refused by name and kept as it is', async (name, code, words) => {
    const bytes = caseFile('C80', name);
    box.publish(name, bytes);
    await box.settle(5000);
    expect(await rows()).toEqual([]);
    const [kept] = await listRefused(box.data);
    expect(kept?.reason.code).toBe(code);
    expect(kept?.reason.text).toMatch(words);
    expect(kept?.reason.text).not.toContain('\ufffd');
    expect(unwrap(await readRefused(box.data, kept?.file ?? ''))).toEqual(bytes);
  });
});

const IDS = JSON.parse(Buffer.from(caseFile('C87', 'ids.json')).toString('utf8')) as string[];

describe('C87 I11 ids that are paths', () => {
  let before: string[] = [];
  let seen: string[] = [];
  let watcher: FSWatcher;
  beforeEach(() => {
    for (const name of ['outside', 'outside.json', 'win.ini', 'b', 'x'])
      writeFileSync(join(box.parent, name), 'theirs');
    before = pictureOf(box.parent, box.data);
    seen = [];
    watcher = watch(box.parent, (_event, name) => seen.push(String(name)));
  });
  /** Nothing beside the data folder was made, changed or removed, not even for a moment. */
  async function nothingOutside(): Promise<void> {
    // What the system has seen by now is told before the next turn of the loop is over.
    await new Promise((resolve) => setTimeout(resolve, 20));
    watcher.close();
    expect(pictureOf(box.parent, box.data)).toEqual(before);
    expect(seen.filter((name) => name !== 'data')).toEqual([]);
  }

  it('as thread ids each is a working record: listed as it is, decided, exported, reaped', async () => {
    store = await openStore(join(box.data, 'store'), { ballastBytes: 0 });
    const world = Object.assign(box.world, { store });
    for (const [at, id] of IDS.entries()) {
      const runId = `01K0QZ6V5M3H8D7N2B4C9F1X${String(at).padStart(2, '0')}`;
      const thread = JSON.stringify(id).slice(1, -1);
      const bytes = klieoRecord({ runId, thread, calls: [{ id: 'c1', name: 'send_email', args: '{}' }] });
      const key = await world.put(bytes);
      expect((await rows()).find((row) => row.runId === runId)).toMatchObject({ threadId: id, status: 'waiting' });
      const head = await readHead(store, key);
      expect(head && (await readOriginal(store, head.head))).toEqual(bytes);
      unwrap(await world.decide(key, [{ reject: 'no' }]));
      unwrap(await world.resume(key));
    }
    world.now += 400n * 24n * 3_600_000_000_000n;
    const swept = await sweep(store, world.ports.clock, { ttl: () => 3_600_000_000_000n });
    expect(swept).toMatchObject({ reaped: IDS.length, kept: [], failed: null });
    expect(await rows()).toEqual([]);
    await nothingOutside();
  });

  it.each(IDS)('as run id, %j is refused, and named as it is', async (id) => {
    const bytes = klieoRecord({ runId: JSON.stringify(id).slice(1, -1), calls: [] });
    box.publish('run.json', bytes);
    await box.settle();
    expect(await rows()).toEqual([]);
    const [kept] = await listRefused(box.data);
    expect(kept?.reason.path).toBe('run_id');
    expect(kept?.reason.text).toContain(JSON.stringify(id).slice(0, 40));
    expect(unwrap(await readRefused(box.data, kept?.file ?? ''))).toEqual(bytes);
    await nothingOutside();
  });

  it('as names of files in the inbox, those that a file can have lead nowhere else', async () => {
    // A name that begins with a dot says "not finished", and is left alone.
    const names = IDS.filter((id) => !/^$|^\.|[/\0]/.test(id));
    for (const name of names) box.write(name, `no record ${name}`);
    await box.settle();
    const kept = await listRefused(box.data);
    expect(kept.map((one) => one.originalName).sort()).toEqual([...names].sort());
    expect(kept.every((one) => /^[\w.-]+$/.test(one.file))).toBe(true);
    expect(box.left()).toEqual([]);
    await nothingOutside();
  });
});
