import { describe, expect, it } from 'vitest';
import { reportCall, startCall } from '../../electron/checkpoints/handover.js';
import { JOURNALS, suspensionText } from '../../electron/checkpoints/keys.js';
import { reconcile } from '../../electron/checkpoints/reconcile.js';
import { readJournal } from '../../electron/checkpoints/records.js';
import { wholeResult } from '../../electron/checkpoints/results.js';
import { awaitDecision } from '../../electron/engine/await-decision.js';
import { MemoryStore } from '../../electron/store/memory-store.js';
import type { SuspensionKey } from '../../shared/decision.js';
import { klieo, unwrap, World } from '../helpers/world.js';

const THREE = klieo('02-parallel-three-pending.json');
const ONE = klieo('01-first-attempt-one-pending.json');
/** 600 KB as UTF-8, with characters of two, three and four bytes. */
const large = (n: number): string => `${n} é€😀 `.repeat(40_000);

/** A store that says how large each journal revision is, and how often a payload was put. */
class Measured extends MemoryStore {
  journals: number[] = [];
  kept: string[] = [];
  override async cas(...args: Parameters<MemoryStore['cas']>): Promise<number> {
    if (args[0] === JOURNALS) this.journals.push(args[2].length);
    return super.cas(...args);
  }
  override async putPayload(bytes: Uint8Array): Promise<string> {
    const sha256 = await super.putPayload(bytes);
    this.kept.push(sha256);
    return sha256;
  }
}

async function decided(bytes: Uint8Array): Promise<{ world: World; store: Measured; key: SuspensionKey }> {
  const store = new Measured();
  const world = new World({}, store);
  const key = await world.put(bytes);
  store.kept = [];
  unwrap(await world.decide(key, []));
  return { world, store, key };
}

const inStore = async (store: MemoryStore, key: SuspensionKey): Promise<string> =>
  new TextDecoder().decode((await store.get(JOURNALS, suspensionText(key)))?.value);

describe('answers larger than 64 KB lie beside the journal', () => {
  it('are written once each, whatever moves come later, and the model reads them whole', async () => {
    const { world, store, key } = await decided(THREE);
    let n = 0;
    world.script = () => ({ kind: 'result', text: large(n++) });
    unwrap(await world.resume(key));
    expect(store.kept).toHaveLength(3);
    expect(Math.max(...store.journals)).toBeLessThan(20_000);
    const answers = world.requests[0]?.messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
    expect(answers?.slice(-3).map((text, at) => text === large(at))).toEqual([true, true, true]);
    const journal = (await readJournal(store, key))?.journal;
    for (const [at, entry] of (journal?.calls ?? []).entries()) {
      expect(entry.resultAt).toMatchObject({ length: large(at).length, size: Buffer.byteLength(large(at)) });
      expect(large(at).startsWith(entry.result ?? '?')).toBe(true);
      // The two thousandth unit is the first half of a pair.
      expect(entry.result).toHaveLength(1999);
    }
  });

  it('small ones stay in it, and so do journals from before', async () => {
    const { world, store, key } = await decided(ONE);
    world.script = () => ({ kind: 'result', text: 'x'.repeat(64 * 1024) });
    unwrap(await world.resume(key));
    expect(store.kept).toEqual([]);
    const old = JSON.parse(await inStore(store, key)) as { calls: { result: string }[] };
    if (old.calls[0]) old.calls[0].result = large(1);
    await store.put(JOURNALS, suspensionText(key), new TextEncoder().encode(JSON.stringify(old)));
    const entry = (await readJournal(store, key))?.journal.calls[0];
    expect((await wholeResult(store, entry)) === large(1)).toBe(true);
  });

  it('a text that has no UTF-8 keeps every unit', async () => {
    const { world, store, key } = await decided(ONE);
    const text = `${'x'.repeat(100_000)}\uD800`;
    world.script = () => ({ kind: 'result', text });
    unwrap(await world.resume(key));
    expect(store.kept).toEqual([]);
    expect(await wholeResult(store, (await readJournal(store, key))?.journal.calls[0])).toBe(text);
  });

  it('one that is missing stops the run before the model is asked, and is never an empty answer', async () => {
    const { world, store, key } = await decided(ONE);
    world.script = () => ({ kind: 'result', text: large(1) });
    store.getPayload = async () => null;
    await expect(world.resume(key)).rejects.toThrow(/is missing/);
    expect(world.requests).toEqual([]);
  });

  it('H13 the same report again is accepted, another one refused', async () => {
    const store = new Measured();
    const world = new World({}, store);
    const key = await world.put(ONE, { route: 'handed_over' });
    unwrap(await world.decide(key, []));
    const token = 'the token';
    unwrap(await awaitDecision(store, world.ports, key, { token }, () => null));
    unwrap(await startCall(store, world.ports, key, 0, token));
    const report = (text: string) => reportCall(store, world.ports, key, 0, token, { kind: 'result', text });
    unwrap(await report(large(1)));
    expect((await report(large(1))).ok).toBe(true);
    expect(await report(large(2))).toMatchObject({ ok: false, refusal: { code: 'illegal_call_state' } });
    expect(await report(`${large(1).slice(0, -1)}!`)).toMatchObject({ ok: false });
    expect(store.kept).toHaveLength(1);
  });

  it('an answer that a person gives takes the place of a larger one, and not its beginning', async () => {
    const { world, store, key } = await decided(ONE);
    world.script = () => ({ kind: 'unknown', cause: 'timeout', text: large(1) });
    unwrap(await world.resume(key));
    expect((await readJournal(store, key))?.journal.calls[0]?.resultAt).toBeDefined();
    unwrap(await reconcile(store, world.ports, key, 0, { how: 'it_ran', result: 'it went out' }, 'Ada'));
    const entry = (await readJournal(store, key))?.journal.calls[0];
    expect(entry?.resultAt).toBeUndefined();
    expect(await wholeResult(store, entry)).toBe('it went out');
  });
});
