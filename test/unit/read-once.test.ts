import { createHash } from 'node:crypto';
import { copyFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { keepDigest, recordDigest } from '../../electron/checkpoints/digest.js';
import { frozen } from '../../electron/checkpoints/frozen.js';
import { takeIn } from '../../electron/checkpoints/intake.js';
import { KeptReadings } from '../../electron/checkpoints/kept-readings.js';
import { load } from '../../electron/checkpoints/records.js';
import { applyNames, emptyShard } from '../../electron/store/bucket-shard.js';
import { type Disk, nodeDisk } from '../../electron/store/disk.js';
import { openStore } from '../../electron/store/file-store.js';
import { MemoryStore } from '../../electron/store/memory-store.js';
import { slotName } from '../../electron/store/names.js';
import { systemClock, systemIds } from '../../electron/system-clock.js';
import type { Message } from '../../shared/checkpoint.js';
import { checkTranscript } from '../../shared/transcript.js';
import { besideRecord, bytes, host, recordFile, recordName, tempFolder } from '../helpers/store-folder.js';
import { klieo, unwrap } from '../helpers/world.js';

const name = (enc: string, revision: number): string => slotName({ enc, revision, form: 'file' });

test('a reading is made again for other bytes, and not for the same ones; the least lately used go first', () => {
  const read = vi.fn((of: Uint8Array) => Buffer.from(of).toString());
  const kept = new KeptReadings(8, read);
  expect([kept.of('a', bytes('one')), kept.of('a', bytes('one')), kept.of('a', bytes('two'))]).toEqual([
    'one',
    'one',
    'two',
  ]);
  expect(read).toHaveBeenCalledTimes(2);
  kept.of('b', bytes('four'));
  kept.of('a', bytes('two'));
  kept.of('c', bytes('five'));
  read.mockClear();
  kept.of('a', bytes('two'));
  expect(read).not.toHaveBeenCalled();
  kept.of('b', bytes('four'));
  expect(read).toHaveBeenCalledTimes(1);
});

test('a reading that throws is not kept', () => {
  const kept = new KeptReadings(100, (of: Uint8Array) => JSON.parse(Buffer.from(of).toString()));
  expect(() => kept.of('a', bytes('{'))).toThrow();
  expect(() => kept.of('a', bytes('{'))).toThrow();
  expect(kept.of('a', bytes('{}'))).toEqual({});
});

test('I3: what several callers act on cannot be changed by one of them', async () => {
  const store = new MemoryStore();
  const arrival = {
    bytes: klieo('01-first-attempt-one-pending.json'),
    source: 'local',
    via: 'inbox',
    route: 'here',
  } as const;
  const { key } = unwrap(await takeIn(store, systemClock(), arrival));
  const { head, record } = unwrap(await load(store, key));
  expect(() => Object.assign(head, { digest: 'another' })).toThrow(TypeError);
  const [call] = record.pending ?? [];
  expect(() => Object.assign(call ?? {}, { arguments: '{}' })).toThrow(TypeError);
  expect(unwrap(await load(store, key)).record.pending?.[0]?.arguments).toBe(call?.arguments);
});

test('H3: a digest that is kept holds for those bytes and that place only', () => {
  const of = { system: 'klieo' as const, runId: 'a', resumeStep: 1, bytes: bytes('{"a":1}') };
  const digest = recordDigest(of);
  keepDigest(of);
  expect(recordDigest(of)).toBe(digest);
  expect(recordDigest({ ...of, resumeStep: 2 })).not.toBe(digest);
  expect(recordDigest({ ...of, runId: 'b' })).not.toBe(digest);
  expect(recordDigest({ ...of, bytes: bytes('{"a":2}') })).not.toBe(digest);
});

test('H3: a large record has the digest that its parts have one after the other', () => {
  const large = new Uint8Array(300_000).fill(120);
  const hash = createHash('sha256').update('holdpoint/1\0');
  for (const part of ['klieo', 'rün', '7', large]) {
    const data = Buffer.from(part as string);
    const length = Buffer.alloc(8);
    length.writeBigUInt64BE(BigInt(data.length));
    hash.update(length).update(data);
  }
  expect(recordDigest({ system: 'klieo', runId: 'rün', resumeStep: 7, bytes: large })).toBe(hash.digest('hex'));
});

test('I7: a conversation that can still change is checked each time', () => {
  const call = { id: 'c1', name: 'send', arguments: '{}' };
  const message = (role: Message['role'], toolCallId: string | null): Message =>
    ({ role, content: '', toolCalls: role === 'assistant' ? [call] : [], toolCallId }) as Message;
  const open = [message('assistant', null)];
  expect(checkTranscript(open, []).unanswered).toHaveLength(1);
  open.push(message('tool', 'c1'));
  expect(checkTranscript(open, []).unanswered).toEqual([]);
  const shut = frozen([message('assistant', null)]);
  const none = frozen([]);
  expect(checkTranscript(shut, none)).toBe(checkTranscript(shut, none));
});

test('a listing that says nothing new changes nothing, and one that does is seen', () => {
  const state = emptyShard();
  applyNames(state, '00', [name('k-a', 1), name('k-b', 2)]);
  const same = (names: string[]) => [...applyNames(state, '00', names)].sort();
  expect(same([name('k-b', 2), name('k-a', 1)])).toEqual([]);
  expect(same([name('k-b', 1), name('k-b', 2), name('k-a', 1)])).toEqual([]);
  expect(same([name('k-b', 2)])).toEqual(['k-a']);
  expect(same([name('k-b', 2), name('k-a', 1)])).toEqual(['k-a']);
  expect(same([name('k-b', 2), name('k-a', 3)])).toEqual(['k-a']);
  // An older one where the newest was: it went away.
  expect(same([name('k-b', 1), name('k-a', 3)])).toEqual(['k-b']);
  // Names that only end like a record's.
  expect(same([name('k-b', 1), name('k-a', 3), 'K-A.0000000003.json'])).toEqual(['k-a']);
  expect(same([name('k-b', 1), name('k-a', 3)])).toEqual(['k-a']);
  expect(same([name('k-b', 1), name('k-a', 3).replace('.', 'x')])).toContain('k-a');
});

test('guarantee 10: a copy that came in the very moment of an own write is found a second later, before the next act', async () => {
  const root = tempFolder();
  let act: (() => void) | null = null;
  const disk: Disk = {
    ...nodeDisk,
    link: (from, to) => {
      nodeDisk.link(from, to);
      act?.();
      act = null;
    },
  };
  const store = await openStore(root, { ballastBytes: 0, host: host(), disk });
  await store.put('runs', 'a', bytes('1'));
  await store.put('runs', 'a', bytes('2'));
  const copy = besideRecord(root, 'runs', 'a', recordName('a', 2).replace('.json', '.sync-conflict-1.json'));
  act = () => copyFileSync(recordFile(root, 'runs', 'a', 2), copy);
  expect(await store.put('runs', 'a', bytes('3'))).toBe(3);
  await vi.waitFor(async () => expect(store.get('runs', 'a')).rejects.toThrow('looks like a copy'), {
    timeout: 8000,
    interval: 50,
  });
  await store.close();
});

test('ids are ascending and never the same, however many are asked for at once', () => {
  const ids = systemIds();
  const made = Array.from({ length: 2000 }, () => ids.ulid());
  expect(new Set(made).size).toBe(made.length);
  expect([...made].sort()).toEqual(made);
  expect(new Set(Array.from({ length: 50 }, () => systemIds().ulid().slice(10))).size).toBe(50);
});
