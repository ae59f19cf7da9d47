import { expect, test } from 'vitest';
import { readHead, writeHead } from '../../electron/checkpoints/records.js';
import { isAlive, thisProcess } from '../../electron/identity.js';
import type { Ports } from '../../electron/ports.js';
import type { SuspensionKey } from '../../shared/decision.js';
import { klieo, refusalOf, unwrap, World } from '../helpers/world.js';

/** A process of this machine that asks the system who lives. Its parent is the one that holds the latch. */
const me = thisProcess('Ada');
const parent = process.ppid;

class Machine extends World {
  override get ports(): Ports {
    return { ...super.ports, process: me, isAlive: (by) => isAlive(by) === 'yes' };
  }
}

/** A run that was claimed, and whose claimer ended before anything started. */
async function claimed(by: { pid: number; start?: string | null }): Promise<{ world: Machine; key: SuspensionKey }> {
  const world = new Machine();
  const key = await world.put(klieo('01-first-attempt-one-pending.json'));
  unwrap(await world.decide(key, ['approve']));
  world.onPoint = (point) => {
    if (point === 'claim.after-latch') throw new Error('ended here');
  };
  await expect(world.resume(key)).rejects.toThrow('ended here');
  world.onPoint = () => {};
  const at = await readHead(world.store, key);
  if (!at?.head.latch) throw new Error('it was claimed');
  // The start of the process is part of what a latch records.
  expect(at.head.latch.by).toEqual(me);
  const { start, ...named } = me;
  const latch = { ...at.head.latch, by: { ...named, ...by } };
  await writeHead(world.store, { ...at.head, latch }, at.revision);
  return { world, key };
}

test('I8 a holder that lives keeps its claim: nothing is taken over', async () => {
  const { world, key } = await claimed({ pid: parent });
  expect(refusalOf(await world.resume(key))).toBe('already_claimed');
  expect(world.ledger).toEqual([]);
});

test('I8 a holder that is gone does not live on in the process that got its number', async () => {
  const { world, key } = await claimed({ pid: parent, start: '1' });
  unwrap(await world.resume(key));
  expect(world.ledger).toHaveLength(1);
});

test('I8 where the system told no start, the number counts as it did', async () => {
  const { world, key } = await claimed({ pid: parent, start: null });
  expect(refusalOf(await world.resume(key))).toBe('already_claimed');
});
