import { expect, test } from 'vitest';
import { decide, decideMany, type Submitted } from '../../electron/checkpoints/decide.js';
import { claim } from '../../electron/checkpoints/latch.js';
import { load } from '../../electron/checkpoints/records.js';
import { openStore } from '../../electron/store/file-store.js';
import type { SuspensionKey } from '../../shared/decision.js';
import { host, tempFolder } from '../helpers/store-folder.js';
import { klieo, refusalOf, unwrap, World } from '../helpers/world.js';

/** Four runs that wait, in a store on disk. */
async function waiting(): Promise<{ world: World; keys: SuspensionKey[]; submitted: Submitted[] }> {
  const world = new World({}, await openStore(tempFolder(), { ballastBytes: 0, host: host() }));
  const record = Buffer.from(klieo('01-first-attempt-one-pending.json')).toString('utf8');
  const keys: SuspensionKey[] = [];
  for (let n = 0; n < 4; n += 1) {
    const bytes = Buffer.from(record.replaceAll('01K0QZ6V5M3H8D7N2B4C9F1XGA', `01K0QZ6V5M3H8D7N2B4C9F1XG${n}`));
    keys.push(await world.put(new Uint8Array(bytes)));
  }
  const submitted = [];
  for (const key of keys) {
    const { head, revision, record: read } = unwrap(await load(world.store, key));
    submitted.push({
      key,
      binding: { revision, resumeStep: read.resumeStep, digest: head.digest },
      verdicts: (read.pending ?? []).map(({ index, argumentsSha256 }) => ({
        index,
        argumentsSha256,
        verdict: 'approve' as const,
      })),
      repair: false,
      reviewer: { name: 'Ada' },
      batchId: 'batch',
    });
  }
  return { world, keys, submitted };
}

test('I3 several decisions at once are each bound, written and claimed by themselves', async () => {
  const { world, keys, submitted } = await waiting();
  const answers = await decideMany(world.store, world.ports, submitted);
  expect(answers.map((one) => unwrap(one).suspension)).toEqual(keys);
  for (const [n, key] of keys.entries()) {
    const { decision, head } = unwrap(await load(world.store, key));
    expect(decision).toMatchObject({
      kind: 'decision',
      decision: {
        batchId: 'batch',
        digest: head.digest,
        decisionId: answers[n]?.ok ? answers[n].value.decisionId : '',
      },
    });
    const claimed = unwrap(await claim(world.store, world.ports, key, `token ${n}`, 'here'));
    expect(claimed.latch.decisionRevision).toBe(1);
    expect(refusalOf(await claim(world.store, world.ports, key, 'another', 'here'))).toBe('already_claimed');
  }
});

test('I3 H10 among several, what changed or was decided first is refused by name, and the others hold', async () => {
  const { world, submitted } = await waiting();
  const [first, second, third, fourth] = submitted;
  if (!first || !second || !third || !fourth) throw new Error('four runs');
  unwrap(await decide(world.store, world.ports, { ...second, reviewer: { name: 'Grace' } }));
  const answers = await decideMany(world.store, world.ports, [
    first,
    second,
    { ...third, binding: { ...third.binding, digest: 'another' } },
    { ...fourth, verdicts: [] },
  ]);
  expect(answers.map((one) => one.ok)).toEqual([true, false, false, false]);
  expect(answers.slice(1).map((one) => refusalOf(one))).toEqual([
    'already_decided',
    'changed_since_you_looked',
    'incomplete_decision',
  ]);
  // What was refused was not written: it can be decided still.
  for (const one of [third, fourth]) unwrap(await decide(world.store, world.ports, one));
});

test('I4 a decision that loses its slot to another while several are written is told who was first', async () => {
  const { world, submitted } = await waiting();
  const [, second] = submitted;
  if (!second) throw new Error('four runs');
  let raced = false;
  world.onPoint = async (point) => {
    if (point !== 'decide.before-write' || raced) return;
    raced = true;
    unwrap(await decide(world.store, world.ports, { ...second, reviewer: { name: 'Grace' } }));
  };
  const answers = await decideMany(world.store, world.ports, submitted);
  expect(answers.map((one) => one.ok)).toEqual([true, false, true, true]);
  expect(answers[1]).toMatchObject({ refusal: { code: 'already_decided', facts: { by: 'Grace' } } });
});
