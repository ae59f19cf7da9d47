import { expect, test } from 'vitest';
import { claim } from '../../electron/checkpoints/latch.js';
import { readHead, writeHead } from '../../electron/checkpoints/records.js';
import { resumeHere } from '../../electron/checkpoints/resume.js';
import { klieo, refusalOf, unwrap, World } from '../helpers/world.js';

test('I2 a run is claimed only by the way that its head names: one chosen anew while servers were opened takes no latch here', async () => {
  const world = new World();
  const key = await world.put(klieo('01-first-attempt-one-pending.json'));
  unwrap(await world.decide(key, ['approve']));
  const at = await readHead(world.store, key);
  if (at === null) throw new Error('no head');
  expect(refusalOf(await claim(world.store, world.ports, key, 'agent', 'handed_over'))).toBe('continues_here');
  const { ports } = world;
  const tools: typeof ports.tools = {
    open: async (servers) => {
      await writeHead(world.store, { ...at.head, route: 'handed_over' }, at.revision);
      return ports.tools.open(servers);
    },
  };
  const stops = { stop: world.stop.signal, signal: world.end.signal };
  const resumed = await resumeHere(world.store, { ...ports, tools }, key, { token: 'token', ...stops });
  expect(refusalOf(resumed)).toBe('handed_over');
  expect((await readHead(world.store, key))?.head.latch).toBeNull();
  expect(world.ledger).toEqual([]);
});
