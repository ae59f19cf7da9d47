import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { suspensionsOf } from '../../electron/checkpoints/intake.js';
import { load } from '../../electron/checkpoints/records.js';
import { listRows } from '../../electron/checkpoints/rows.js';
import { nodeInboxDisk } from '../../electron/inbox/disk.js';
import { listRefused, readRefused } from '../../electron/refused.js';
import { StoreFull, StoreReadOnly } from '../../electron/store/contract.js';
import { MemoryStore } from '../../electron/store/memory-store.js';
import { Box } from '../helpers/inbox-box.js';
import { klieo, klieoRecord, unwrap } from '../helpers/world.js';

// Real files on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 });

const RECORD = klieo('01-first-attempt-one-pending.json');
const RUN = '01K0QZ6V5M3H8D7N2B4C9F1XGA';

let box = new Box();
afterEach(() => box.remove());
const fresh = (options: ConstructorParameters<typeof Box>[0] = {}): Box => {
  box.remove();
  box = new Box(options);
  return box;
};

const fail = (code: string) => Object.assign(new Error(`${code}: no`), { code });
const rows = () => listRows(box.world.store, box.world.ports, () => null);
const reasons = async () => (await listRefused(box.data)).map((one) => [one.originalName, one.reason.code]);

describe('a record published in the inbox', () => {
  it('is taken in and continues here; its file goes when the store has it', async () => {
    let thereWhileStored = false;
    const store = new MemoryStore({
      afterWrite: () => {
        thereWhileStored = existsSync(box.path('run.json'));
      },
    });
    fresh({ store });
    box.publish('run.json', RECORD);
    await box.settle();
    expect(thereWhileStored).toBe(true);
    expect(box.left()).toEqual([]);
    expect(box.events).toMatchObject([
      { kind: 'taken_in', name: 'run.json', source: 'local', key: { runId: RUN, seq: 1, source: 'local' } },
    ]);
    const loaded = unwrap(await load(store, { system: 'klieo', source: 'local', runId: RUN, seq: 1 }));
    expect(loaded.bytes).toEqual(RECORD);
    expect(loaded.head).toMatchObject({ via: 'inbox', route: 'here', name: 'run.json' });
  });

  it('H2 is already known the second time, and nothing changes', async () => {
    fresh();
    for (const name of ['a.json', 'b.json']) {
      box.publish(name, RECORD);
      await box.settle();
    }
    expect(box.kinds()).toEqual(['taken_in', 'already_known']);
    expect(box.left()).toEqual([]);
    expect(await rows()).toHaveLength(1);
  });

  it('comes from the source that its folder names, and goes on as that source does', async () => {
    fresh({ settings: { sources: [{ name: 'billing-bot', route: 'handed_over' }] } });
    box.publish('billing-bot/run.json', RECORD);
    box.publish('other/run.json', RECORD);
    await box.settle();
    expect((await rows()).map((row) => [row.source, row.route])).toEqual([
      ['billing-bot', 'handed_over'],
      ['other', 'here'],
    ]);
    expect([box.left('billing-bot'), box.left('other')]).toEqual([[], []]);
  });

  it('is left alone under an unfinished name until it is renamed', async () => {
    fresh();
    for (const name of ['.run.json', 'run.json.tmp', 'run.json.part', 'run.json~', 'RUN.TMP']) box.write(name, 'half');
    await box.settle(60_000);
    expect(box.events).toEqual([]);
    renameSync(box.path('run.json.tmp'), box.path('run.json'));
    box.write('run.json', RECORD);
    await box.settle();
    expect(box.kinds()).toEqual(['taken_in']);
    expect(box.left()).toEqual(['.run.json', 'RUN.TMP', 'run.json.part', 'run.json~']);
  });

  it('waits while it grows', async () => {
    fresh();
    const text = Buffer.from(RECORD).toString('utf8');
    box.write('slow.json', text.slice(0, 100));
    for (let at = 100; at < text.length; at += 200) {
      await box.inbox.look();
      appendFileSync(box.path('slow.json'), text.slice(at, at + 200));
      box.now += 200;
    }
    expect(box.events).toEqual([]);
    await box.settle();
    expect(box.kinds()).toEqual(['taken_in']);
  });

  it.each([
    ['truncated', (text: string) => text.slice(0, 400)],
    ['empty', () => ''],
  ])('waits for a writer who paused: %s', async (code, cut) => {
    fresh();
    const text = Buffer.from(RECORD).toString('utf8');
    box.write('slow.json', cut(text));
    await box.settle();
    expect([box.events, box.left()]).toEqual([[], ['slow.json']]);
    box.write('slow.json', text);
    await box.settle();
    expect(box.kinds()).toEqual(['taken_in']);
    box.write('never.json', cut(text));
    await box.settle(5000);
    expect(await reasons()).toEqual([['never.json', code]]);
    expect(box.left()).toEqual([]);
  });

  it('keeps what is written into it after it was refused', async () => {
    fresh();
    const path = box.write('late.json', 'no record');
    const writer = openSync(path, 'a');
    await box.settle();
    writeFileSync(writer, ', and more');
    closeSync(writer);
    const [kept] = await listRefused(box.data);
    expect(Buffer.from(unwrap(await readRefused(box.data, kept?.file ?? ''))).toString()).toBe('no record, and more');
  });

  it('of two records of one run the later one is the later suspension, whatever they are called', async () => {
    fresh();
    const later = box.publish(
      'a.json',
      klieoRecord({ step: 3, calls: [{ id: 'c2', name: 'send_email', args: '{}' }] }),
    );
    const earlier = box.publish(
      'b.json',
      klieoRecord({ step: 2, calls: [{ id: 'c1', name: 'send_email', args: '{}' }] }),
    );
    utimesSync(earlier, 1000, 1000);
    utimesSync(later, 2000, 2000);
    await box.settle();
    const found = await suspensionsOf(box.world.store, { system: 'klieo', source: 'local', runId: RUN });
    expect(found.map((one) => [one.seq, one.meta?.s, one.meta?.sb])).toEqual([
      [1, 2, 2],
      [2, 3, null],
    ]);
  });

  it('of 30 MB is taken in whole', async () => {
    fresh();
    const content = `{"role":"user","content":"${'x'.repeat(30 * 1024 * 1024)}","tool_calls":[],"tool_call_id":null}`;
    box.publish('big.json', klieoRecord({ messages: content, calls: [{ id: 'c1', name: 'send_email', args: '{}' }] }));
    await box.settle();
    expect(box.kinds()).toEqual(['taken_in']);
    expect((await rows())[0]).toMatchObject({ runId: RUN, status: 'waiting' });
  });
});

describe('what is refused', () => {
  it('I5 goes to refused/ with its reason, byte for byte, and the rest goes on', async () => {
    fresh();
    const bad = klieo('07-corrupt-not-json.json');
    box.publish('bad.json', bad);
    box.publish('good.json', RECORD);
    await box.settle();
    expect(box.kinds().sort()).toEqual(['refused', 'taken_in']);
    expect(box.left()).toEqual([]);
    const [kept] = await listRefused(box.data);
    expect(kept).toMatchObject({ originalName: 'bad.json', size: bad.length, kept: true, reason: { source: 'local' } });
    expect(kept?.reason.line).toBeGreaterThan(0);
    expect(unwrap(await readRefused(box.data, kept?.file ?? ''))).toEqual(bad);
  });

  it('keeps the same bytes once', async () => {
    fresh();
    for (const name of ['a.json', 'b.json', 'c.json']) {
      box.publish(name, 'no record');
      await box.settle();
    }
    expect(await listRefused(box.data)).toHaveLength(1);
    expect(box.left()).toEqual([]);
  });

  it('H2 a record of a claimed run is kept aside as unsettled, and leaves when it is taken in', async () => {
    fresh();
    const key = await box.world.put(RECORD, { route: 'handed_over' });
    unwrap(await box.world.decide(key, ['approve']));
    const { handOver, startCall, reportCall, complete } = await import('../../electron/checkpoints/handover.js');
    const { store, ports } = box.world;
    unwrap(await handOver(store, ports, key, 't'));
    const next = klieoRecord({ step: 3, calls: [{ id: 'c2', name: 'send_email', args: '{}' }] });
    box.publish('next.json', next);
    await box.settle();
    expect(await reasons()).toEqual([['next.json', 'unsettled']]);
    expect(box.events).toMatchObject([{ kind: 'refused', left: false, refusal: { code: 'unsettled' } }]);
    unwrap(await startCall(store, ports, key, 0, 't'));
    unwrap(await reportCall(store, ports, key, 0, 't', { kind: 'result', text: 'ok' }));
    unwrap(await complete(store, ports, key, 't', 'done'));
    box.publish('next.json', next);
    await box.settle();
    expect(box.kinds()).toEqual(['refused', 'taken_in']);
    expect(await reasons()).toEqual([]);
  });

  it('more than 64 MiB is moved unread', async () => {
    const read: string[] = [];
    fresh({
      disk: {
        read: async (path, limit) => {
          read.push(path);
          return nodeInboxDisk.read(path, limit);
        },
      },
    });
    const path = box.write('huge.json', '');
    const file = openSync(path, 'r+');
    ftruncateSync(file, 64 * 1024 * 1024 + 1);
    closeSync(file);
    await box.settle();
    expect(read).toEqual([]);
    expect(await listRefused(box.data)).toMatchObject([
      { kept: true, size: 64 * 1024 * 1024 + 1, reason: { code: 'too_large' } },
    ]);
    expect(box.left()).toEqual([]);
  });
});

describe('what is no record is never opened, told once, and stays', () => {
  it.each([
    ['a folder named like a record', 'run.json', 'folder', (path: string) => mkdirSync(path)],
    ['a folder in a folder', 'bot/deeper', 'folder', (path: string) => mkdirSync(path)],
    [
      'a link to a record',
      'link.json',
      'symbolic link',
      (path: string) =>
        symlinkSync(join(import.meta.dirname, '../fixtures/klieo/01-first-attempt-one-pending.json'), path),
    ],
    ['a link to a folder', 'etc', 'symbolic link', (path: string) => symlinkSync('/etc', path)],
    ['a named pipe', 'pipe.json', 'named pipe', (path: string) => execFileSync('mkfifo', [path])],
    ['a name that no source has', 'no source', 'names a source', (path: string) => mkdirSync(path)],
  ] as const)('%s', async (_what, name, words, make) => {
    const opened: string[] = [];
    fresh({
      disk: {
        read: async (path, limit) => {
          opened.push(path);
          return nodeInboxDisk.read(path, limit);
        },
      },
    });
    mkdirSync(box.path('bot'), { recursive: true });
    make(box.path(name));
    box.publish('good.json', RECORD);
    await box.settle(60_000);
    await box.settle(60_000);
    expect(opened).toEqual([box.path('good.json')]);
    expect(box.kinds().sort()).toEqual(['refused', 'taken_in']);
    const [note] = await listRefused(box.data);
    expect(note).toMatchObject({ kept: false, reason: { left: name } });
    expect(note?.reason.text).toContain(words);
    expect(existsSync(box.path(name))).toBe(true);
  });

  it('a socket', async () => {
    fresh();
    mkdirSync(box.path('.'), { recursive: true });
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(box.path('s.json'), resolve));
    await box.settle();
    expect(box.events).toMatchObject([{ kind: 'refused', left: true, name: 's.json' }]);
    await new Promise((resolve) => server.close(resolve));
  });

  it('a name that is no text', async () => {
    fresh();
    mkdirSync(box.path('.'), { recursive: true });
    writeFileSync(Buffer.concat([Buffer.from(`${box.path('.')}/`), Buffer.from([0x66, 0xff, 0x2e])]), RECORD);
    await box.settle();
    await box.settle();
    expect(box.events).toMatchObject([{ kind: 'refused', left: true }]);
    expect((await listRefused(box.data))[0]?.reason.text).toContain('66ff2e');
  });

  it('its note goes when it does, also after a restart', async () => {
    fresh();
    mkdirSync(box.path('run.json'), { recursive: true });
    await box.settle();
    expect(await listRefused(box.data)).toHaveLength(1);
    const { data } = box;
    rmSync(box.path('run.json'), { recursive: true });
    const again = new Box();
    try {
      rmSync(again.data, { recursive: true });
      renameSync(data, again.data);
      await again.inbox.look();
      expect(await listRefused(again.data)).toEqual([]);
      expect(again.events).toEqual([]);
    } finally {
      again.remove();
    }
  });

  it('what is left is not told again after a restart', async () => {
    fresh();
    mkdirSync(box.path('run.json'), { recursive: true });
    await box.settle();
    const again = new Box();
    try {
      rmSync(again.data, { recursive: true });
      renameSync(box.data, again.data);
      await again.settle();
      expect(again.events).toEqual([]);
      expect(await listRefused(again.data)).toHaveLength(1);
    } finally {
      again.remove();
    }
  });
});

describe('a file that is swapped between the look and the reading', () => {
  it('is not followed when it is a link now, and not waited for when it is a pipe', async () => {
    fresh();
    const path = box.write('run.json', RECORD);
    rmSync(path);
    symlinkSync(box.write('other/target', 'secret'), path);
    await expect(nodeInboxDisk.read(path, 1000)).rejects.toMatchObject({ code: 'ELOOP' });
    rmSync(path);
    execFileSync('mkfifo', [path]);
    expect(await nodeInboxDisk.read(path, 1000)).toMatchObject({ bytes: new Uint8Array(), stat: { kind: 'pipe' } });
  });
});

describe('when something fails, the file stays and is tried again', () => {
  it('without a right to read it', async () => {
    let readable = false;
    fresh({
      disk: {
        read: async (path, limit) => {
          if (!readable) throw fail('EACCES');
          return nodeInboxDisk.read(path, limit);
        },
      },
    });
    box.publish('locked.json', RECORD);
    await box.settle(60_000);
    expect(box.events).toMatchObject([{ kind: 'refused', left: true }]);
    expect(await reasons()).toEqual([['locked.json', 'no_right']]);
    expect(readFileSync(box.path('locked.json'))).toEqual(Buffer.from(RECORD));
    readable = true;
    await box.settle(60_000);
    expect(box.kinds()).toEqual(['refused', 'taken_in']);
    expect(await reasons()).toEqual([]);
  });

  it.each([
    ['a full store', () => new StoreFull('no space'), 'store_full'],
    ['a read-only store', () => new StoreReadOnly('read-only'), 'store_read_only'],
    ['any other fault', () => new Error('surprise'), 'fault'],
  ])('%s', async (_what, error, code) => {
    let broken = true;
    fresh({
      store: new MemoryStore({
        beforeWrite: () => {
          if (broken) throw error();
        },
      }),
    });
    box.publish('run.json', RECORD);
    await box.settle(60_000);
    expect(box.kinds()).toEqual(['waits']);
    expect([box.left(), await rows()]).toEqual([['run.json'], []]);
    expect(await reasons()).toEqual([['run.json', code]]);
    broken = false;
    await box.settle(60_000);
    expect(box.kinds()).toEqual(['waits', 'taken_in']);
    expect([box.left(), await reasons()]).toEqual([[], []]);
  });

  it('a refused file that cannot be moved', async () => {
    fresh();
    box.publish('bad.json', 'no record');
    writeFileSync(join(box.data, 'refused'), 'in the way');
    await expect(box.settle()).rejects.toThrow();
    rmSync(join(box.data, 'refused'));
    await box.settle(60_000);
    expect(await reasons()).toEqual([['bad.json', 'syntax']]);
  });

  it('a file that was taken in and cannot be removed is left alone, and taken once', async () => {
    fresh({
      disk: {
        remove: async () => {
          throw fail('EACCES');
        },
      },
    });
    box.publish('run.json', RECORD);
    await box.settle(60_000);
    await box.settle(60_000);
    expect(box.kinds()).toEqual(['taken_in', 'waits']);
    expect(await rows()).toHaveLength(1);
  });

  it('a file that is replaced while it is taken in is taken as well', async () => {
    const next = klieoRecord({ step: 3, calls: [{ id: 'c2', name: 'send_email', args: '{}' }] });
    let replaced = false;
    fresh({
      store: new MemoryStore({
        beforeWrite: () => {
          if (!replaced) box.publish('run.json', next);
          replaced = true;
        },
      }),
    });
    box.publish('run.json', RECORD);
    await box.settle();
    expect(box.left()).toEqual(['run.json']);
    await box.settle();
    expect(box.kinds()).toEqual(['taken_in', 'taken_in']);
    expect((await rows()).map((row) => row.step).sort()).toEqual([2, 3]);
  });

  it('an inbox that is no folder', async () => {
    fresh();
    writeFileSync(join(box.data, 'inbox'), 'mine');
    await expect(box.inbox.look()).rejects.toThrow();
    rmSync(join(box.data, 'inbox'));
    box.publish('run.json', RECORD);
    await box.settle();
    expect(box.kinds()).toEqual(['taken_in']);
  });
});
