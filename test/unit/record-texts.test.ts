import { expect, it } from 'vitest';
import { DECISIONS, HEADS, suspensionText } from '../../electron/checkpoints/keys.js';
import { RecordTexts } from '../../electron/handlers/record-texts.js';
import { MemoryStore } from '../../electron/store/memory-store.js';
import { klieo, klieoRecord, unwrap, World } from '../helpers/world.js';

/** Counts whole readings: each asks for the decision, which is read with a record and not with its head. */
class Counting extends MemoryStore {
  readings = 0;
  override async get(...args: Parameters<MemoryStore['get']>): ReturnType<MemoryStore['get']> {
    if (args[0] === DECISIONS) this.readings += 1;
    return super.get(...args);
  }
}

it('a record is read once for all pieces of its texts, and again when another is asked for', async () => {
  const store = new Counting();
  const world = new World({}, store);
  const key = await world.put(klieo('01-first-attempt-one-pending.json'));
  const other = await world.put(klieo('02-parallel-three-pending.json'));
  store.readings = 0;
  const texts = new RecordTexts(store);
  for (let piece = 0; piece < 5; piece += 1) expect(unwrap(await texts.of(key)).runId).toBe(key.runId);
  expect(store.readings).toBe(1);
  expect(unwrap(await texts.of(other)).runId).toBe(other.runId);
  expect(unwrap(await texts.of(key)).runId).toBe(key.runId);
  expect(store.readings).toBe(3);
});

it('one that is gone, or has another digest by now, is not answered from what was read before', async () => {
  const store = new Counting();
  const world = new World({}, store);
  const key = await world.put(klieoRecord({ calls: [{ id: 'x', name: 'send_email', args: '{}' }] }));
  const texts = new RecordTexts(store);
  unwrap(await texts.of(key));
  const name = suspensionText(key);
  const entry = await store.get(HEADS, name);
  const head = JSON.parse(new TextDecoder().decode(entry?.value)) as { digest: string };
  store.readings = 0;
  await store.put(HEADS, name, new TextEncoder().encode(JSON.stringify({ ...head, digest: 'another' })));
  unwrap(await texts.of(key));
  expect(store.readings).toBe(1);
  await store.delete(HEADS, name);
  expect((await texts.of(key)).ok).toBe(false);
});
