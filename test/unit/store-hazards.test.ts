import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CasConflict, CasIndeterminate } from '../../electron/store/contract.js';
import { type Disk, nodeDisk } from '../../electron/store/disk.js';
import { openStore } from '../../electron/store/file-store.js';
import type { FileStore } from '../../electron/store/opened-store.js';
import { bytes, host, recordFile, tempFolder, text } from '../helpers/store-folder.js';

/** Everything older than nothing may be thinned: what takes days is done at once. */
const retention = { keep: 8, distance: 8, ageMs: -1 };
const options = { ballastBytes: 0, host: host(), retention };

/**
 * A writer that sleeps at one moment while another process works. Calls of the store run to the end without giving
 * way, so what `meanwhile` starts is done before the writer wakes up.
 */
async function sleeper(at: 'before link' | 'after link'): Promise<{
  root: string;
  slow: FileStore;
  fast: FileStore;
  meanwhile: (act: () => void) => void;
}> {
  const root = tempFolder();
  let act: (() => void) | null = null;
  const wake = () => {
    const now = act;
    act = null;
    now?.();
  };
  const disk: Disk = {
    ...nodeDisk,
    link: (from, to) => {
      if (at === 'before link') wake();
      nodeDisk.link(from, to);
      if (at === 'after link') wake();
    },
  };
  const slow = await openStore(root, { ...options, disk });
  const fast = await openStore(root, options);
  for (let n = 1; n <= 3; n += 1) await fast.put('runs', 'a', bytes(`${n}`));
  return { root, slow, fast, meanwhile: (next) => (act = next) };
}

const done: Promise<unknown>[] = [];
function run(count: number, write: (n: number) => Promise<unknown>): void {
  for (let n = 0; n < count; n += 1) done.push(write(n));
}

test('guarantee 4, H1: a writer that slept until its slot was freed by thinning does not win with a stale revision', async () => {
  const { root, slow, fast, meanwhile } = await sleeper('before link');
  meanwhile(() => run(17, (n) => fast.put('runs', 'a', bytes(`fast ${n}`))));
  await expect(slow.cas('runs', 'a', bytes('stale'), 3)).rejects.toMatchObject({ expected: 3, actual: 20 });
  await Promise.all(done);
  expect(existsSync(recordFile(root, 'runs', 'a', 4))).toBe(false);
  expect(await fast.get('runs', 'a')).toMatchObject({ revision: 20, value: bytes('fast 16') });
  expect(readdirSync(join(root, 'tmp'))).toEqual([]);
});

test('guarantee 4, H1: the same where thinning was stopped between the slot and the next', async () => {
  const { root, slow, fast, meanwhile } = await sleeper('before link');
  meanwhile(() => {
    run(6, (n) => fast.put('runs', 'a', bytes(`fast ${n}`)));
    for (let revision = 1; revision <= 4; revision += 1) {
      const file = recordFile(root, 'runs', 'a', revision);
      if (existsSync(file)) nodeDisk.unlink(file);
    }
  });
  await expect(slow.cas('runs', 'a', bytes('stale'), 3)).rejects.toBeInstanceOf(CasConflict);
  await Promise.all(done);
  expect(await fast.get('runs', 'a')).toMatchObject({ revision: 9 });
  expect(existsSync(recordFile(root, 'runs', 'a', 4))).toBe(false);
});

test('guarantee 3: a writer on whose revision others went on has won, and is told so', async () => {
  const { root, slow, fast, meanwhile } = await sleeper('after link');
  meanwhile(() => run(4, (n) => fast.put('runs', 'a', bytes(`fast ${n}`))));
  expect(await slow.cas('runs', 'a', bytes('mine'), 3)).toBe(4);
  await Promise.all(done);
  expect(text((await fast.getRevision('runs', 'a', 4))?.value)).toBe('mine');
  expect(await fast.get('runs', 'a')).toMatchObject({ revision: 8 });
  expect(existsSync(recordFile(root, 'runs', 'a', 4))).toBe(true);
});

test('a writer that slept until its revision was thinned away cannot be told: in doubt', async () => {
  const { slow, fast, meanwhile } = await sleeper('after link');
  meanwhile(() => run(17, (n) => fast.put('runs', 'a', bytes(`fast ${n}`))));
  await expect(slow.cas('runs', 'a', bytes('mine'), 3)).rejects.toBeInstanceOf(CasIndeterminate);
  await Promise.all(done);
  expect(await fast.get('runs', 'a')).toMatchObject({ revision: 21 });
});

test('a put that lost its slot goes on until it is written', async () => {
  const { slow, fast, meanwhile } = await sleeper('before link');
  meanwhile(() => run(2, (n) => fast.put('runs', 'a', bytes(`fast ${n}`))));
  expect(await slow.put('runs', 'a', bytes('mine'))).toBe(6);
  meanwhile(() => run(1, () => fast.put('runs', 'a', bytes('fast'))));
  expect(await slow.delete('runs', 'a')).toBe(8);
  await Promise.all(done);
  expect(await fast.head('runs', 'a')).toMatchObject({ revision: 8, deleted: true });
});

test('guarantee 4, H2: deleting and making again never brings a revision back', async () => {
  const { slow, fast } = await sleeper('before link');
  const read = await slow.get('runs', 'a');
  expect(read?.revision).toBe(3);
  await fast.delete('runs', 'a');
  await expect(slow.cas('runs', 'a', bytes('stale'), 3)).rejects.toMatchObject({ actual: null });
  expect(await fast.cas('runs', 'a', bytes('new life'), null)).toBe(5);
  for (const expected of [1, 2, 3, 4, 6]) {
    await expect(slow.cas('runs', 'a', bytes('stale'), expected)).rejects.toMatchObject({ actual: 5 });
  }
  expect(text((await slow.get('runs', 'a'))?.value)).toBe('new life');
});

test('guarantee 5, H3: a conditional delete does not remove a latch that was taken meanwhile', async () => {
  const { slow: sweep, fast: resume, meanwhile } = await sleeper('before link');
  const seen = await sweep.get('runs', 'a');
  meanwhile(() => run(1, () => resume.cas('runs', 'a', bytes('latched'), 3, { meta: 'latched' })));
  await expect(sweep.delete('runs', 'a', seen?.revision ?? 0)).rejects.toMatchObject({ expected: 3, actual: 4 });
  await Promise.all(done);
  expect(await resume.get('runs', 'a')).toMatchObject({ revision: 4, meta: 'latched' });
});
