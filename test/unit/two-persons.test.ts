import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readDecision, writeDecision } from '../../electron/checkpoints/records.js';
import { withSignature } from '../../electron/checkpoints/signatures.js';
import { arriveDecision, decisionIn } from '../../electron/handlers/countersigning.js';
import type { Decision, SuspensionKey } from '../../shared/decision.js';
import type { Taken } from '../../shared/ipc.js';
import { EngineWorld } from '../helpers/engine-world.js';
import { ADA, BO, reviewer, type TestReviewer } from '../helpers/signer.js';
import { klieoRecord, refusalOf, unwrap } from '../helpers/world.js';

const EVE = reviewer('Eve');
const CALLS = [
  { id: 'c1', name: 'delete_records', args: '{"table":"orders"}' },
  { id: 'c2', name: 'send_email', args: '{}' },
];
const record = (calls = CALLS): Uint8Array => klieoRecord({ calls });

let folder = '';
let home: EngineWorld;
let away: EngineWorld;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-two-'));
  home = new EngineWorld({ twoPersons: true });
  home.known = [ADA.key, { ...BO.key, own: false }];
  // Bo's own machine, with nothing between the two but files.
  away = new EngineWorld({ reviewer: 'Bo' });
  away.known = [
    { ...BO.key, own: true },
    { ...ADA.key, own: false },
  ];
  away.signer = { ok: true, value: BO.signer };
});
afterEach(() => {
  for (const world of [home, away]) world.remove();
  rmSync(folder, { recursive: true, force: true });
});

async function decisionOf(world: EngineWorld, key: SuspensionKey): Promise<Decision> {
  const at = await readDecision(world.store, key);
  if (at.kind !== 'decision') throw new Error('no decision');
  return at.decision;
}

/** A person drops a decision file on the window of a world, and answers the system. */
async function drop(
  world: EngineWorld,
  decision: unknown,
  yes = true,
): Promise<{ taken: Taken; asked: string[]; file: Decision | null }> {
  const asked: string[] = [];
  const place = join(folder, 'signed.json');
  const found = decisionIn(new TextEncoder().encode(JSON.stringify(decision)));
  if (!found) throw new Error('no decision');
  const context = {
    store: world.store,
    ports: world.ports,
    settings: { get: () => world.settings },
    runner: { decided: async () => undefined },
    shell: {
      broadcast: () => undefined,
      system: {
        ask: async ({ detail }: { detail: string }) => {
          asked.push(detail);
          return yes;
        },
        choosePlace: async () => place,
      },
    },
  };
  const taken = await arriveDecision(context as never, 'decision.json', found);
  const file = asked.length > 0 && taken.outcome === 'taken_in' ? decisionIn(readFileSync(place)) : null;
  return { taken, asked, file };
}

describe('the rule of two', () => {
  it('a destructive call waits, here and handed over, until a second known reviewer has signed the same decision, offline', async () => {
    for (const route of ['here', 'handed_over'] as const) {
      const calls = CALLS.map((call) => ({ ...call, args: JSON.stringify({ route }) }));
      const runId = route === 'here' ? '01K0QZ6V5M3H8D7N2B4C9F1XGA' : '01K0QZ6V5M3H8D7N2B4C9F1XGB';
      const bytes = klieoRecord({ runId, calls });
      const key = await home.put(bytes, { route });
      const run = `klieo:local:1:${runId}`;
      const go = () => (route === 'here' ? home.resume(key) : home.engine.await(run, { token: 't', timeoutMs: 0 }));
      unwrap(await home.decide(key, ['approve', 'approve']));
      const waits = await go();
      expect(
        !waits.ok &&
          (waits.refusal.code === 'second_signature' || waits.refusal.facts['waitsFor'] === 'second_signature'),
      ).toBe(true);
      expect(unwrap(await home.engine.show(run))).toMatchObject({
        row: { status: 'decided' },
        second: ['delete_records'],
      });

      // Without the record there is nothing to read, so nothing to sign.
      const made = await decisionOf(home, key);
      if (route === 'here')
        expect((await drop(away, made)).taken).toMatchObject({
          outcome: 'refused',
          text: expect.stringContaining('not here'),
        });
      const there = await away.put(bytes, { route: 'here', source: 'laptop' });
      const declined = await drop(away, made, false);
      expect(declined.taken.outcome).toBe('refused');
      const { asked, file } = await drop(away, made);
      expect(asked[0]).toContain('“delete_records”: approve');
      if (!file) throw new Error('no file');
      // What was signed there fires nothing there: it is no decision of that store.
      expect((await readDecision(away.store, there)).kind).toBe('none');
      expect(refusalOf(await away.resume(there))).toBe('not_decided');

      expect((await drop(home, file)).taken).toMatchObject({ outcome: 'taken_in', text: 'Signed by Bo as well.' });
      expect((await drop(home, file)).taken.outcome).toBe('already_known');
      expect(unwrap(await home.engine.show(run)).second).toBeUndefined();
      unwrap<unknown>(await go());
    }
    expect(home.ledger).toHaveLength(2);
    expect(away.ledger).toEqual([]);
  });

  it('a second signature by the same key, an unknown one, or of another decision is none', async () => {
    const key = await home.put(record());
    const made = unwrap(await home.decide(key, ['approve', 'approve']));
    const put = async (decision: Decision): Promise<void> =>
      void (await writeDecision(home.store, decision, (await readDecision(home.store, key)).revision));
    const by = (who: TestReviewer, decision = made): Decision =>
      withSignature(decision, who.signer, who.name, decision.decidedAt);
    await put(by(ADA));
    expect(refusalOf(await home.resume(key))).toBe('second_signature');
    await put(by(EVE));
    expect(refusalOf(await home.resume(key))).toBe('second_signature');
    const other = by(BO, { ...made, decisionId: '01K0QZ7N9V3M8XKD2RB5F1XGD0' });
    await put({ ...made, signatures: [...made.signatures, ...other.signatures.slice(-1)] });
    expect(refusalOf(await home.resume(key))).toBe('signature_wrong');
    expect((await drop(home, { ...by(BO), digest: '0'.repeat(64) })).taken.outcome).toBe('refused');
    expect((await drop(away, by(BO))).taken.outcome).toBe('refused');
    await put(by(BO));
    unwrap(await home.resume(key));
    expect(home.ledger).toHaveLength(2);
  });

  it('a rejection, a call of another class, and the rule off need one signature only', async () => {
    const key = await home.put(record());
    unwrap(await home.decide(key, [{ reject: 'no' }, 'approve']));
    unwrap(await home.resume(key));
    home.settings = { ...home.settings, twoPersons: false };
    const next = await home.put(klieoRecord({ runId: '01K0QZ6V5M3H8D7N2B4C9F1XGB', calls: CALLS }));
    unwrap(await home.decide(next, ['approve', 'approve']));
    unwrap(await home.resume(next));
    expect(home.ledger.map(({ tool }) => tool)).toEqual(['send_email', 'delete_records', 'send_email']);
  });

  it('property: whoever signs in whatever order, it fires exactly when two known reviewers have signed what it says', async () => {
    let seed = 11;
    const random = (n: number): number => {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      return seed % n;
    };
    for (let round = 0; round < 60; round++) {
      const runId = `01K0QZ6V5M3H8D7N2B4C9F1${String(round).padStart(3, '0')}`;
      const key = await home.put(klieoRecord({ runId, calls: CALLS }));
      let decision = unwrap(await home.decide(key, ['approve', 'approve']));
      const who = Array.from({ length: random(4) }, () => [ADA, BO, EVE][random(3)] as TestReviewer);
      for (const one of who) decision = withSignature(decision, one.signer, one.name, decision.decidedAt);
      const altered = random(4) === 0;
      if (altered) decision = { ...decision, batchId: 'x' };
      await writeDecision(home.store, decision, 1);
      const before = home.ledger.length;
      const ended = await home.resume(key);
      const may = !altered && who.includes(BO);
      expect(ended.ok, `${round}`).toBe(may);
      expect(home.ledger.length - before).toBe(may ? 2 : 0);
    }
  });
});
