import fc from 'fast-check';
import { expect, it } from 'vitest';
import { undo } from '../../electron/checkpoints/decide.js';
import { sweep } from '../../electron/checkpoints/gc.js';
import { complete, handOver, release, reportCall, startCall, withdraw } from '../../electron/checkpoints/handover.js';
import { reconcile } from '../../electron/checkpoints/reconcile.js';
import { readDecision, readHead, readJournal, readPinned } from '../../electron/checkpoints/records.js';
import { markInterruptedHere } from '../../electron/checkpoints/recovery.js';
import { listRows } from '../../electron/checkpoints/rows.js';
import type { SuspensionKey } from '../../shared/decision.js';
import { isLegal, STATUSES, type Status } from '../../shared/states.js';
import { klieoRecord, World } from '../helpers/world.js';

const CALLS = [
  { id: 'a', name: 'send_email', args: '{"n":0}' },
  { id: 'b', name: 'send_payment', args: '{"n":1}' },
];

class Crash extends Error {}

type Act =
  | { act: 'decide'; verdicts: ('approve' | 'reject')[] }
  | { act: 'undo' | 'resume' | 'recover' | 'sweep' | 'withdraw' | 'again' | 'release' | 'complete' }
  | { act: 'await' | 'start' | 'report'; token: string; call: number }
  | { act: 'reconcile'; call: number; how: 'it_ran' | 'it_did_not' | 'give_up' };

const verdict = fc.constantFrom('approve' as const, 'approve' as const, 'reject' as const);
const token = fc.constantFrom('s', 't', 't');
// What moves a run on comes often, so that most schedules get as far as a dispatch and beyond.
const acts: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      act: fc.constant('decide' as const),
      verdicts: fc.tuple(verdict, verdict).map((v) => [...v]),
    }),
  },
  { weight: 6, arbitrary: fc.record({ act: fc.constant('resume' as const) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      act: fc.constantFrom('await' as const, 'start' as const, 'report' as const),
      token,
      call: fc.nat(1),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constantFrom(
        'undo' as const,
        'recover' as const,
        'sweep' as const,
        'withdraw' as const,
        'again' as const,
        'release' as const,
        'complete' as const,
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant('reconcile' as const),
      call: fc.nat(1),
      how: fc.constantFrom('it_ran' as const, 'it_did_not' as const, 'give_up' as const),
    }),
  },
);

const step = fc.record({
  act: acts,
  /** Ends the "process" at the n-th point that the act passes; more than it passes: not at all. */
  crashAt: fc.option(fc.nat(10), { nil: null, freq: 2 }),
  outcome: fc.constantFrom('result' as const, 'result' as const, 'error' as const, 'unknown' as const),
});

it('I1 I2 I4 I8: whatever is done in whatever order, with crashes anywhere, a call fires at most once a permission', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('here' as const, 'handed_over' as const),
      fc.array(step, { minLength: 6, maxLength: 25 }),
      async (route, steps) => {
        const world = new World({ gc: { ttlHours: 1 } });
        const key = await world.put(klieoRecord({ calls: CALLS }), { route });
        /** Dispatches allowed by a person's word that a call did not run. */
        const forgiven = [0, 0];
        let status: Status = 'waiting';
        for (const { act, crashAt, outcome } of steps) {
          let passed = 0;
          world.onPoint = () => {
            if (crashAt !== null && passed++ === crashAt) throw new Crash();
          };
          world.script = () =>
            outcome === 'unknown' ? { kind: 'unknown', cause: 'timeout', text: '?' } : { kind: outcome, text: 'x' };
          try {
            await perform(world, key, act, forgiven);
          } catch (error) {
            if (!(error instanceof Crash)) throw error;
            world.onPoint = () => {};
            await markInterruptedHere(world.store);
          }
          world.onPoint = () => {};
          for (const [index, call] of CALLS.entries()) {
            const fired = world.ledger.filter((line) => line.tool === call.name);
            expect(fired.length, JSON.stringify(act)).toBeLessThanOrEqual(1 + (forgiven[index] ?? 0));
            for (const line of fired) expect(line.arguments).toBe(call.args);
          }
          const [row] = await listRows(world.store, world.ports, () => null);
          if (row && row.status !== status) {
            expect(reachable(status, row.status), `${status} -> ${row.status} by ${JSON.stringify(act)}`).toBe(true);
            status = row.status;
          }
        }
        // What fired was approved by the decision that the claim pinned, and by no other.
        const latch = (await readHead(world.store, key))?.head.latch;
        if (world.ledger.length > 0 && latch?.decisionRevision != null) {
          const pinned = await readPinned(world.store, key, latch.decisionRevision, latch.decisionSha256);
          const approved =
            pinned.kind === 'decision'
              ? pinned.decision.verdicts.filter((v) => v.verdict === 'approve').map((v) => v.index)
              : [];
          for (const line of world.ledger) expect(approved).toContain(CALLS.findIndex((c) => c.name === line.tool));
        }
      },
    ),
    { numRuns: 800 },
  );
}, 120_000);

/** One act may pass through several states (decide, claim, dispatch, end); each single move must be legal. */
function reachable(from: Status, to: Status, depth = 4): boolean {
  if (isLegal(from, to)) return true;
  return (
    depth > 0 && STATUSES.some((middle) => middle !== from && isLegal(from, middle) && reachable(middle, to, depth - 1))
  );
}

async function perform(world: World, key: SuspensionKey, act: Act, forgiven: number[]): Promise<void> {
  const { store, ports } = world;
  switch (act.act) {
    case 'decide': {
      const before = await readDecision(store, key);
      const said = await world
        .decide(
          key,
          act.verdicts.map((v) => (v === 'approve' ? 'approve' : { reject: 'no' })),
          {},
        )
        .catch((error: unknown) => {
          if (error instanceof Crash) throw error;
          return null;
        });
      // I4: what was acknowledged is in the store; a refused one changed nothing of the decision.
      const after = await readDecision(store, key);
      if (said?.ok) expect(after).toMatchObject({ kind: 'decision', decision: { decisionId: said.value.decisionId } });
      else if (said && !['superseded', 'withdrawn', 'tombstone'].includes(said.refusal.code))
        expect(after.revision).toBe(before.revision);
      return;
    }
    case 'undo':
      await undo(store, ports, key, 'Ada');
      return;
    case 'resume':
      await world.resume(key, `t${Math.random()}`);
      return;
    case 'recover':
      await markInterruptedHere(store);
      return;
    case 'sweep':
      world.now += 3_600_000_000_000n / 4n;
      await sweep(store, ports.clock, { ttl: () => 3_600_000_000_000n });
      return;
    case 'withdraw':
      await withdraw(store, ports, key, 'agent');
      return;
    case 'again':
      await world.put(klieoRecord({ calls: CALLS }));
      return;
    case 'await':
      await handOver(store, ports, key, act.token);
      return;
    case 'start': {
      // The agent acts only after "start" was accepted.
      if ((await startCall(store, ports, key, act.call, act.token)).ok)
        world.ledger.push({ tool: CALLS[act.call]?.name ?? '', arguments: CALLS[act.call]?.args ?? '' });
      return;
    }
    case 'report':
      await reportCall(store, ports, key, act.call, act.token, { kind: 'result', text: 'done' });
      return;
    case 'release':
      await release(store, ports, key, 'Ada');
      return;
    case 'complete':
      await complete(store, ports, key, 't', 'over');
      return;
    case 'reconcile': {
      const settled = await reconcile(
        store,
        ports,
        key,
        act.call,
        act.how === 'it_ran' ? { how: 'it_ran', result: 'r' } : { how: act.how },
        'Ada',
      );
      if (settled.ok && act.how === 'it_did_not') forgiven[act.call] = (forgiven[act.call] ?? 0) + 1;
      if (settled.ok)
        expect((await readJournal(store, key))?.journal.calls[act.call]?.reconciled.at(-1)?.by).toBe('Ada');
    }
  }
}
