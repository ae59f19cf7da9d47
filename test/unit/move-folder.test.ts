import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { HEADS } from '../../electron/checkpoints/keys.js';
import { load } from '../../electron/checkpoints/records.js';
import { locateDataFolder, openDataFolder, pointTo } from '../../electron/data-folder.js';
import { type EngineRefused, openEngine } from '../../electron/engine.js';
import { moveFolder, whyNotThere } from '../../electron/keep/move-folder.js';
import { settleMove } from '../../electron/keep/settle-move.js';
import { verifyHistory } from '../../electron/keep/verify-history.js';
import { lookAt } from '../../electron/store/audit.js';
import { CasIndeterminate, StoreReadOnly } from '../../electron/store/contract.js';
import { nodeDisk } from '../../electron/store/disk.js';
import { openStore } from '../../electron/store/file-store.js';
import { bundle } from '../helpers/bundle.js';
import { run } from '../helpers/cli-run.js';
import { type KeptWorld, keptWorld, seal } from '../helpers/kept-world.js';
import { inventory, tempFolder } from '../helpers/store-folder.js';
import { unwrap } from '../helpers/world.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let worker = '';
beforeAll(async () => {
  worker = await bundle(join(import.meta.dirname, '../crash/move-worker.ts'));
});

let kept: KeptWorld;
let to = '';
let home = '';
beforeEach(async () => {
  kept = await keptWorld();
  await seal(kept);
  home = tempFolder();
  to = join(tempFolder(), 'new');
  for (const name of ['inbox', 'refused']) mkdirSync(join(kept.data, name), { mode: 0o700 });
  writeFileSync(join(kept.data, 'settings.json'), '{"settings":{"reviewer":"Ada"}}');
  writeFileSync(join(kept.data, 'inbox', 'waits.json'), '{"waits":1}');
  pointTo(kept.data, around());
});

const around = () => ({ env: {}, platform: 'linux' as const, home });
const point = (path: string) => pointTo(path, around());
const pointed = () => unwrap(locateDataFolder(undefined, around())).path;
const move = (at?: (step: string) => void) => moveFolder({ from: kept.data, to, by: 'Ada', point, ...(at && { at }) });
const records = (data: string) =>
  inventory(join(data, 'store', 'k'))
    .filter((line) => line.includes('.json'))
    .map((line) => line.split(' ')[0]);

/** True when something can be written there. */
async function lives(data: string): Promise<boolean> {
  if (!existsSync(join(data, 'store', 'STORE.json'))) return false;
  const store = await openStore(join(data, 'store'), { ballastBytes: 0 });
  try {
    await store.put('probe', 'probe', new Uint8Array());
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(StoreReadOnly);
    return false;
  } finally {
    await store.close();
  }
}

describe('moving the data folder', () => {
  it('takes everything along, switches the pointer, and leaves one live store', async () => {
    const before = records(kept.data);
    const { files } = unwrap(await move());
    expect(files).toBeGreaterThan(before.length);
    expect(records(to)).toEqual(before);
    for (const path of before)
      expect(readFileSync(join(to, 'store/k', path ?? ''))).toEqual(readFileSync(join(kept.root, 'k', path ?? '')));
    expect([pointed(), await lives(to), await lives(kept.data)]).toEqual([to, true, false]);
    expect((await verifyHistory(lookAt(join(to, 'store')))).broken).toEqual([]);
    expect(readFileSync(join(to, 'settings.json'), 'utf8')).toContain('Ada');
    expect(readFileSync(join(to, 'inbox', 'waits.json'), 'utf8')).toBe('{"waits":1}');
    expect(existsSync(join(kept.data, 'inbox'))).toBe(false);
    const store = await openStore(join(to, 'store'), { ballastBytes: 0 });
    expect(unwrap(await load(store, kept.key)).journal?.journal.continuation.state).toBe('completed');
    await store.close();
  });

  it('an agent or a command with the old path is refused by name, and told the new place', async () => {
    unwrap(await move());
    await expect(openEngine({ dataFolder: kept.data })).rejects.toMatchObject({
      refusal: { code: 'not_home', facts: { movedTo: to } },
    } satisfies Partial<EngineRefused> | object);
    const said = await run(['list', '--data', kept.data]);
    expect([said.code, said.err]).toEqual([5, expect.stringContaining(`it was moved to ${to}; use that folder`)]);
    expect((await run(['list', '--data', to])).code).toBe(0);
    expect((await move()).ok).toBe(false);
  });

  it('nothing that was acknowledged is lost, whoever writes meanwhile', async () => {
    const writer = await openStore(kept.root, { ballastBytes: 0 });
    const acknowledged: string[] = [];
    const tried: unknown[] = [];
    let count = 0;
    let writing = true;
    const pump = (async () => {
      while (writing) {
        const key = `w${count++}`;
        try {
          await writer.put(HEADS, key, new TextEncoder().encode(key));
          acknowledged.push(key);
        } catch (error) {
          tried.push(error);
        }
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(5));
    unwrap(await move());
    writing = false;
    await pump;
    for (const error of tried) expect(error).toBeInstanceOf(StoreReadOnly);
    expect(tried.length).toBeGreaterThan(0);
    const store = await openStore(join(to, 'store'), { ballastBytes: 0 });
    for (const key of acknowledged) expect(await store.get(HEADS, key)).not.toBeNull();
    await store.close();
    await writer.close();
  });

  it('a writer that slept over the freeze is told that nobody knows, and acknowledges nothing', async () => {
    let freeze = false;
    const disk: typeof nodeDisk = {
      ...nodeDisk,
      link: (from, target) => {
        nodeDisk.link(from, target);
        if (!freeze) return;
        freeze = false;
        const path = join(kept.root, 'STORE.json');
        const file = JSON.parse(readFileSync(path, 'utf8')) as object;
        rmSync(path);
        writeFileSync(
          path,
          JSON.stringify({ ...file, moved: { state: 'moving', to, by: 'Ada', at: '2026-07-20T10:00:00Z' } }),
        );
      },
    };
    const writer = await openStore(kept.root, { ballastBytes: 0, disk });
    freeze = true;
    await expect(writer.put(HEADS, 'late', new Uint8Array())).rejects.toBeInstanceOf(CasIndeterminate);
    await expect(writer.put(HEADS, 'later', new Uint8Array())).rejects.toThrow('being moved');
    await expect(writer.takeOver('Eve')).rejects.toBeInstanceOf(StoreReadOnly);
    await writer.close();
  });

  const STEPS = [
    'before-freeze',
    'frozen',
    'first-copied',
    'copied',
    'compared',
    'staged',
    'publishing',
    'published',
    'inbox-emptied',
    'marked',
    'pointed',
  ];
  const isAfter = (step: string, other: string): boolean => STEPS.indexOf(step) >= STEPS.indexOf(other);
  const killedAt = (step: string): void => {
    const { signal } = spawnSync(process.execPath, [worker, kept.data, to, step, home]);
    expect(signal).toBe('SIGKILL');
  };
  it.each(STEPS)(
    'killed at %s: exactly one store lives, with all that was acknowledged, and the next window goes on there',
    async (step) => {
      const before = records(kept.data);
      killedAt(step);
      // Until a window has settled it, at most one of the two takes a write.
      const early = [await lives(kept.data), await lives(to)];
      expect(early.filter(Boolean).length).toBeLessThanOrEqual(1);
      const elsewhere = await settleMove(kept.data, point);
      const live = elsewhere ?? kept.data;
      const dead = elsewhere === null ? to : kept.data;
      expect(elsewhere).toBe(isAfter(step, 'published') ? to : null);
      expect([await lives(live), await lives(dead)]).toEqual([true, false]);
      expect(records(live).filter((path) => !path?.startsWith('probe'))).toEqual(before);
      expect(pointed()).toBe(live);
      expect(readFileSync(join(live, 'inbox', 'waits.json'), 'utf8')).toBe('{"waits":1}');
      expect(await settleMove(kept.data, point)).toBe(elsewhere);
      if (elsewhere === null) unwrap(await move());
    },
  );

  /** The disk of the new folder is not connected: nothing is there, or the empty folder that it is mounted on. */
  const takeAway = (mountPoint: boolean): (() => void) => {
    const aside = `${to}.aside`;
    if (existsSync(to)) renameSync(to, aside);
    if (mountPoint) mkdirSync(to);
    return () => {
      rmSync(to, { recursive: true, force: true });
      if (existsSync(aside)) renameSync(aside, to);
    };
  };
  it.each(STEPS.flatMap((step) => [false, true].map((mountPoint) => ({ step, mountPoint }))))(
    'killed at $step, and the new disk is away at the next start (empty mount point: $mountPoint): at no time do two stores take a write',
    async ({ step, mountPoint }) => {
      const before = records(kept.data);
      killedAt(step);
      const bringBack = takeAway(mountPoint);
      const elsewhere = await settleMove(kept.data, point);
      const doubt = step === 'publishing' || step === 'published' || step === 'inbox-emptied';
      expect(elsewhere).toBe(isAfter(step, 'marked') ? to : null);
      // What nobody can tell is not guessed: neither of the two is written.
      const livesHere = await lives(kept.data);
      expect(livesHere).toBe(!isAfter(step, 'publishing'));
      if (doubt) {
        const store = await openStore(kept.root, { ballastBytes: 0 });
        expect(store.readOnlyReason).toContain(`its move to ${to} was cut short`);
        await store.close();
        expect((await run(['list', '--data', kept.data])).err).toContain('connect that disk');
      }
      bringBack();
      expect([livesHere, await lives(to)].filter(Boolean).length).toBeLessThanOrEqual(1);
      const later = await settleMove(kept.data, point);
      expect(later).toBe(isAfter(step, 'published') ? to : null);
      const live = later ?? kept.data;
      expect([await lives(live), await lives(later === null ? to : kept.data)]).toEqual([true, false]);
      expect(records(live).filter((path) => !path?.startsWith('probe'))).toEqual(before);
      expect(pointed()).toBe(live);
      expect(readFileSync(join(live, 'inbox', 'waits.json'), 'utf8')).toBe('{"waits":1}');
    },
  );

  it('a disk that lies in the place of the new one tells nothing, though it holds a copy of the same store', async () => {
    killedAt('published');
    const bringBack = takeAway(false);
    const other = join(home, 'other');
    unwrap(await moveFolder({ from: (await keptCopy()).data, to: other, by: 'Ada', point: () => undefined }));
    renameSync(other, to);
    expect(await settleMove(kept.data, point)).toBeNull();
    expect(await lives(kept.data)).toBe(false);
    bringBack();
    expect(await settleMove(kept.data, point)).toBe(to);
  });

  it('cut before it published: a store that lies there by now is neither taken for the new one nor touched', async () => {
    killedAt('copied');
    rmSync(to, { recursive: true, force: true });
    cpSync(kept.data, to, { recursive: true });
    const before = inventory(to);
    expect(await settleMove(kept.data, point)).toBeNull();
    expect(inventory(to)).toEqual(before);
    expect(pointed()).toBe(kept.data);
    expect(await lives(kept.data)).toBe(true);
  });

  /** Another data folder with a store of the same id. */
  async function keptCopy(): Promise<{ data: string }> {
    const copy = await keptWorld();
    const path = join(copy.root, 'STORE.json');
    const { storeId } = JSON.parse(readFileSync(join(kept.root, 'STORE.json'), 'utf8')) as { storeId: string };
    writeFileSync(path, JSON.stringify({ ...(JSON.parse(readFileSync(path, 'utf8')) as object), storeId }));
    return copy;
  }

  it('only a person may go on in the old folder when the new one is lost for good, and not while it is there', async () => {
    killedAt('published');
    const open = () => openStore(kept.root, { ballastBytes: 0 });
    let store = await open();
    await expect(store.takeOver('Ada')).rejects.toThrow('cannot be taken over');
    await store.close();
    rmSync(to, { recursive: true });
    store = await open();
    await store.takeOver('Ada');
    await store.put('probe', 'again', new Uint8Array());
    await store.close();
    expect(await settleMove(kept.data, point)).toBeNull();
    expect(await lives(kept.data)).toBe(true);
  });

  it('stopped by the person: the old folder is the store, and of the copy nothing stays but what others laid there', async () => {
    const stop = new AbortController();
    const seen: number[] = [];
    const plan = { from: kept.data, to, by: 'Ada', point, signal: stop.signal };
    const stopped = await moveFolder({
      ...plan,
      progress: (done, all) => seen.push(done / all),
      at: (step) => {
        if (step === 'copied') writeFileSync(join(to, 'inbox', 'of-somebody-else.json'), '{}');
        if (step === 'compared') stop.abort();
      },
    });
    expect(stopped.ok || stopped.refusal.code).toBe('stopped');
    expect([await lives(kept.data), await lives(to)]).toEqual([true, false]);
    expect(seen.at(-1)).toBe(1);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(readdirSync(to)).toEqual(['inbox']);
    expect(readdirSync(join(to, 'inbox'))).toEqual(['of-somebody-else.json']);
  });

  it('the folder that the pointer names is never made anew: its disk may be away', async () => {
    unwrap(await move());
    rmSync(to, { recursive: true });
    const located = unwrap(locateDataFolder(undefined, around()));
    const opened = openDataFolder(located, { make: true });
    expect([opened.ok || opened.refusal.code, existsSync(to)]).toEqual(['not_found', false]);
  });

  it('a move that fails stays where it was, and says why', async () => {
    const failed = await move((step) => {
      if (step === 'copied') throw new Error('the disk was taken away');
    });
    expect(failed.ok || failed.refusal.text).toContain('stays where it is: the disk was taken away');
    expect([await lives(kept.data), await lives(to)]).toEqual([true, false]);
    expect(pointed()).toBe(kept.data);
    expect(
      (
        await move((step) => {
          if (step === 'copied') writeFileSync(join(to, 'store/k/suspensions', 'extra'), 'x');
        })
      ).ok,
    ).toBe(true);
  });

  it('where it may not go', () => {
    expect(whyNotThere(kept.data, 'relative')).toContain('whole path');
    expect(whyNotThere(kept.data, join(kept.data, 'in'))).toContain('may not lie in');
    expect(whyNotThere(kept.data, join(kept.data, '..'))).toContain('may not lie in');
    expect(whyNotThere(kept.data, join(to, 'a', 'b'))).toContain('does not exist');
    const file = join(home, 'file');
    writeFileSync(file, '');
    expect(whyNotThere(kept.data, file)).toContain('is a file');
    expect(whyNotThere(kept.data, home)).toContain('not empty');
    expect(whyNotThere(kept.data, join(home, 'fresh'))).toBeNull();
  });

  it('links and pipes of others stay behind, and owner records are never taken along', async () => {
    symlinkSync('/etc/hostname', join(kept.data, 'link'));
    writeFileSync(join(kept.data, 'owner.json'), '{}');
    unwrap(await move());
    expect([existsSync(join(to, 'link')), existsSync(join(to, 'owner.json'))]).toEqual([false, false]);
    expect(openDataFolder({ path: to, rule: 'pointer', said: 'x' }, { make: false }).ok).toBe(true);
  });
});
