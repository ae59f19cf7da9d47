import { beforeEach, describe, expect, it } from 'vitest';
import { sweep } from '../../electron/checkpoints/gc.js';
import type { Head } from '../../electron/checkpoints/head.js';
import { suspensionText } from '../../electron/checkpoints/keys.js';
import { readHead, writeHead } from '../../electron/checkpoints/records.js';
import { findRun } from '../../electron/engine/find-run.js';
import type { SuspensionKey } from '../../shared/decision.js';
import { klieoRecord, refusalOf, unwrap, World } from '../helpers/world.js';

const RUN = '01K0QZ6V5M3H8D7N2B4C9F1XGA';
const OTHER = '01K0QZ6V5M3H8D7N2B4C9F1XGB';

let world = new World();
beforeEach(() => {
  world = new World();
});

const put = (runId: string, parts: Parameters<typeof klieoRecord>[0] = {}, source = 'local') =>
  world.put(klieoRecord({ runId, calls: [], ...parts }), { source });
const find = (text: string) => findRun(world.store, text);

/** Writes a suspension of another system, whose ids klieo does not have, with parts of a klieo one. */
async function foreign(change: Partial<Head> & { suspension: SuspensionKey }): Promise<void> {
  const like = await put(OTHER, { thread: `for ${change.suspension.runId}` }, 'model');
  const at = await readHead(world.store, like);
  if (at === null) throw new Error('no head');
  await writeHead(world.store, { ...at.head, ...change }, null);
}

describe('H1 a run is found by any of its ids', () => {
  it('by its run id in either case, by its thread id, by its key and by the id that lists give', async () => {
    const key = await put(RUN, { thread: 'thread-7' });
    await put(OTHER, { thread: 'thread-8' });
    for (const text of [
      RUN,
      RUN.toLowerCase(),
      'thread-7',
      suspensionText(key),
      `s:${suspensionText(key)}`,
      `klieo:local:${RUN}`,
    ])
      expect(unwrap(await find(text)), text).toEqual(key);
  });

  it('by a thread id too long for the index, and by its checkpoint id', async () => {
    const thread = 'long '.repeat(50);
    const key = await put(RUN, { thread });
    expect(unwrap(await find(thread))).toEqual(key);
    const suspension: SuspensionKey = { system: 'runifold', source: 'local', runId: 'r-1', seq: 1 };
    await foreign({ suspension, checkpointId: 'cp-9' });
    expect(unwrap(await find('cp-9'))).toEqual(suspension);
  });

  it('means the latest suspension, unless one is named', async () => {
    const first = await put(RUN);
    const second = await put(RUN, { step: 3 });
    expect(unwrap(await find(RUN))).toEqual(second);
    expect(unwrap(await find(`${RUN}#1`))).toEqual(first);
    expect(unwrap(await find(`${RUN.toLowerCase()}#2`))).toEqual(second);
    const missing = await find(`${RUN}#3`);
    expect(missing.ok || missing.refusal).toMatchObject({ code: 'not_found', facts: { latest: 2 } });
  });

  it('takes a "#" that belongs to an id for a part of it', async () => {
    const suspension: SuspensionKey = { system: 'runifold', source: 'local', runId: 'a#2', seq: 1 };
    await foreign({ suspension });
    expect(unwrap(await find('a#2'))).toEqual(suspension);
    expect(unwrap(await find('a#2#1'))).toEqual(suspension);
  });

  it('refuses an id of several runs, and names them', async () => {
    const one = await put(RUN, { thread: 'shared' });
    const two = await put(OTHER, { thread: 'shared' });
    const outcome = await find('shared');
    expect(outcome.ok || outcome.refusal).toMatchObject({ code: 'bad_request' });
    const candidates = outcome.ok ? [] : outcome.refusal.facts['candidates'];
    expect(candidates).toEqual(expect.arrayContaining([suspensionText(one), suspensionText(two)]));
    const three = await put(RUN, {}, 'elsewhere');
    expect(refusalOf(await find(RUN))).toBe('bad_request');
    expect(unwrap(await find(suspensionText(three)))).toEqual(three);
    expect(unwrap(await find(`klieo:elsewhere:${RUN}`))).toEqual(three);
  });

  it('finds one that the GC removed', async () => {
    const key = await put(RUN);
    world.now += 400n * 24n * 3_600_000_000_000n;
    await sweep(world.store, world.ports.clock, { ttl: () => 1n });
    expect(unwrap(await find(RUN))).toEqual(key);
  });

  it.each(['', '*', 'nothing', `${RUN.slice(0, 25)}`, '#1', 'klieo:local:1:nothing'])(
    'does not find %j',
    async (text) => {
      await put(RUN);
      expect(refusalOf(await find(text))).toBe('not_found');
    },
  );
});
