import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { undo } from '../../electron/checkpoints/decide.js';
import { sweep } from '../../electron/checkpoints/gc.js';
import { DECISIONS, HEADS, JOURNALS, SEALS } from '../../electron/checkpoints/keys.js';
import { Sealer, sealName } from '../../electron/checkpoints/seals.js';
import { type HistoryReport, verifyHistory } from '../../electron/keep/verify-history.js';
import { lookAt } from '../../electron/store/audit.js';
import { MemoryStore } from '../../electron/store/memory-store.js';
import { run, runProcess } from '../helpers/cli-run.js';
import { forge, type KeptWorld, keptWorld, NAME, OTHER, RUN, refund, seal, swap } from '../helpers/kept-world.js';
import { inventory, recordFile, recordName } from '../helpers/store-folder.js';
import { at, unwrap, World } from '../helpers/world.js';

// Real files on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 });

const SCRIPT = fileURLToPath(new URL('../../examples/verify-history.mjs', import.meta.url));
const verify = ({ root }: KeptWorld, options = {}): Promise<HistoryReport> => verifyHistory(lookAt(root), options);
const script = ({ root }: KeptWorld) => runProcess(process.execPath, [SCRIPT, root]);

async function sealedWorld(): Promise<KeptWorld> {
  const kept = await keptWorld();
  expect(await seal(kept)).toBeGreaterThan(0);
  return kept;
}

describe('a history that nobody touched', () => {
  it('holds, for Holdpoint and for a script without it, and nothing changes', async () => {
    const kept = await sealedWorld();
    const before = inventory(kept.root);
    const report = await verify(kept);
    expect(report).toMatchObject({ ok: true, broken: [], beforeTheChain: 0, unsealed: 0, seals: 1 });
    expect(report.revisions).toBeGreaterThan(6);
    const { code, out } = await script(kept);
    expect([code, out]).toEqual([
      0,
      expect.stringContaining(`1 seals; the hash of the newest is ${report.newestSeal?.hash}`),
    ]);
    expect(inventory(kept.root)).toEqual(before);
  });

  it('holds through an undo, a second decision, a sweep and a further seal', async () => {
    const kept = await sealedWorld();
    const other = { ...kept.key, runId: OTHER };
    unwrap(await kept.world.decide(other, ['approve']));
    unwrap(await undo(kept.store, kept.world.ports, other, 'Ada'));
    unwrap(await kept.world.decide(other, [{ reject: 'no' }]));
    unwrap(await kept.world.resume(other));
    kept.world.now = at('2026-09-20T10:00:00Z');
    expect((await sweep(kept.store, kept.world.ports.clock, { ttl: () => 1n })).reaped).toBe(2);
    expect(await verify(kept)).toMatchObject({ ok: true, unsealed: 4 });
    expect(await seal(kept)).toBe(4);
    expect(await seal(kept)).toBe(0);
    expect(await verify(kept)).toMatchObject({ ok: true, unsealed: 0, seals: 2 });
    expect((await script(kept)).code).toBe(0);
  });

  it('counts what was written before there was a chain, and follows the chain from there', async () => {
    const kept = await keptWorld();
    forge(recordFile(kept.root, HEADS, `klieo:local:1:${OTHER}`, 1), (body) => body, { before: undefined });
    unwrap(await kept.world.decide({ ...kept.key, runId: OTHER }, ['approve']));
    expect(await verify(kept)).toMatchObject({ ok: true, beforeTheChain: 1 });
    expect((await script(kept)).code).toBe(0);
  });
});

type Tampering = [string, (kept: KeptWorld) => void | Promise<void>, string];
const file = ({ root }: KeptWorld, bucket: string, revision: number, name = NAME) =>
  recordFile(root, bucket, name, revision);

const TAMPERED: Tampering[] = [
  ['a flipped byte', (k) => writeFileSync(file(k, JOURNALS, 2), 'x'), 'cannot be trusted'],
  [
    'an altered record with right checksums',
    (k) => void forge(file(k, JOURNALS, 2), (body) => body.replace('issue_refund', 'issue_refunt')),
    'names another revision before it',
  ],
  [
    'the newest revision altered',
    (k) => void forge(file(k, DECISIONS, 1), (body) => body.replace('"Ada"', '"Eve"')),
    'not the decision that the claim acted on',
  ],
  [
    'a decision put on another record',
    (k) => void forge(file(k, DECISIONS, 1), (body) => body.replace(/"digest":"[0-9a-f]{8}/, '"digest":"00000000')),
    'made on another record',
  ],
  [
    'an altered head that nothing names',
    (k) => void forge(file(k, HEADS, 1, `klieo:local:1:${OTHER}`), (body) => body.replace('"inbox"', '"cli"')),
    'is not what seal 1 holds',
  ],
  ['a removed revision', (k) => rmSync(file(k, JOURNALS, 2)), 'Revision 2 is missing'],
  ['the first revision removed', (k) => rmSync(file(k, JOURNALS, 1)), 'Revision 1 is missing'],
  [
    'the newest revision removed',
    async (k) => rmSync(file(k, JOURNALS, (await k.store.head(JOURNALS, NAME))?.revision ?? 0)),
    'newest revisions are missing',
  ],
  ['a decision removed', (k) => rmSync(file(k, DECISIONS, 1)), 'this claim acted on is missing'],
  ['a whole key removed', (k) => rmSync(file(k, HEADS, 1, `klieo:local:1:${OTHER}`)), 'All of its records are missing'],
  ['two revisions in each other’s place', (k) => swap(file(k, JOURNALS, 1), file(k, JOURNALS, 2)), 'under the name of'],
  [
    'two revisions reordered with right headers',
    (k) => {
      swap(file(k, JOURNALS, 1), file(k, JOURNALS, 2));
      forge(file(k, JOURNALS, 1), (body) => body, { rev: 1 });
      forge(file(k, JOURNALS, 2), (body) => body, { rev: 2 });
    },
    'one of the two was replaced',
  ],
  [
    'a revision inserted before the newest',
    (k) => {
      const newest = file(k, JOURNALS, 3);
      copyFileSync(newest, file(k, JOURNALS, 4));
      forge(file(k, JOURNALS, 4), (body) => body, { rev: 4 });
      forge(newest, (body) => body.replace('All done', 'All gone'));
    },
    'was replaced',
  ],
  [
    'a copy of a record beside it',
    (k) => copyFileSync(file(k, JOURNALS, 1), file(k, JOURNALS, 1).replace('.json', ' (conflicted copy).json')),
    'is no record of Holdpoint',
  ],
  [
    'an altered seal',
    (k) =>
      void forge(recordFile(k.root, SEALS, sealName(1), 1), (body) =>
        body.replace(/"put","[0-9a-f]{8}/, '"put","00000000'),
      ),
    'is not what seal 1 holds',
  ],
  [
    'a seal that was written over',
    async (k) => void (await k.store.put(SEALS, sealName(1), new TextEncoder().encode('{}'))),
    'written over',
  ],
];

describe('a history that somebody changed', () => {
  it.each(TAMPERED)('%s is found, named and fails', async (_name, tamper, words) => {
    const kept = await sealedWorld();
    await tamper(kept);
    const report = await verify(kept);
    expect(report.ok).toBe(false);
    expect(report.broken.map(({ what }) => what).join('\n')).toContain(words);
    const { code, out } = await run(['history', '--verify', '--data', kept.data]);
    expect(code).toBe(5);
    expect(out).toContain('THE HISTORY DOES NOT HOLD. First broken place: ');
    expect(out).toContain(report.broken[0]?.what ?? '?');
    expect((await script(kept)).code).toBe(1);
  });

  it('a missing seal and one in its place are found', async () => {
    const kept = await sealedWorld();
    for (const runId of ['01K0QZ6V5M3H8D7N2B4C9F1XGC', '01K0QZ6V5M3H8D7N2B4C9F1XGD']) {
      await kept.world.put(refund(runId));
      await seal(kept);
    }
    const [first, second, third] = [1, 2, 3].map((n) => recordFile(kept.root, SEALS, sealName(n), 1)) as [
      string,
      string,
      string,
    ];
    copyFileSync(second, `${kept.data}-second`);
    rmSync(second);
    expect((await verify(kept)).broken).toMatchObject([{ bucket: SEALS, what: 'Seal 2 is missing.' }]);
    expect((await script(kept)).code).toBe(1);
    copyFileSync(`${kept.data}-second`, second);
    expect((await verify(kept)).ok).toBe(true);
    forge(second, (body) => body.replace('"by":"Ada"', '"by":"Eve"'));
    expect((await verify(kept)).broken).toMatchObject([
      { key: sealName(3), what: expect.stringContaining('another seal before it') },
    ]);
    expect((await script(kept)).code).toBe(1);
    for (const one of [first, third]) expect(one).not.toBe(second);
  });

  it('a history that was cut back to an earlier time is found by a hash that was noted', async () => {
    const kept = await sealedWorld();
    await kept.world.put(refund('01K0QZ6V5M3H8D7N2B4C9F1XGC'));
    await seal(kept);
    const noted = (await verify(kept)).newestSeal?.hash ?? '';
    expect((await verify(kept, { anchor: noted })).ok).toBe(true);
    expect((await run(['history', '--verify', '--anchor', noted, '--data', kept.data])).code).toBe(0);
    rmSync(recordFile(kept.root, SEALS, sealName(2), 1));
    rmSync(recordFile(kept.root, HEADS, 'klieo:local:1:01K0QZ6V5M3H8D7N2B4C9F1XGC', 1));
    expect((await verify(kept)).ok).toBe(true);
    expect((await verify(kept, { anchor: noted })).broken).toMatchObject([{ what: expect.stringContaining(noted) }]);
    expect((await run(['history', '--verify', '--anchor', noted, '--data', kept.data])).code).toBe(5);
  });

  it('nothing goes on from a claim whose decision was exchanged', async () => {
    const kept = await keptWorld();
    const key = { ...kept.key, runId: OTHER };
    unwrap(await kept.world.decide(key, ['approve']));
    kept.world.onPoint = (point) => {
      if (point === 'claim.after-latch') throw new Error('the process ends here');
    };
    await expect(kept.world.resume(key)).rejects.toThrow('ends here');
    kept.world.onPoint = () => {};
    forge(file(kept, DECISIONS, 1, `klieo:local:1:${OTHER}`), (body) => body.replace('"Ada"', '"Eve"'));
    const before = kept.world.ledger.length;
    await expect(kept.world.resume(key, 'another')).rejects.toThrow('is not the one that was claimed');
    expect(kept.world.ledger).toHaveLength(before);
  });
});

describe('sealing', () => {
  it('is written by one of many processes at a time, and no seal is lost', async () => {
    const store = new MemoryStore();
    const world = new World({}, store);
    for (let n = 0; n < 30; n++) await world.put(refund(`01K0QZ6V5M3H8D7N2B4C9F1X${String(n).padStart(2, '0')}`));
    const sealers = Array.from({ length: 6 }, () => new Sealer(store, world.ports));
    const counts = await Promise.all(sealers.map((one) => one.seal()));
    expect(counts.filter((count) => count > 0)).toEqual([30]);
    await world.put(refund(RUN));
    expect((await Promise.all(sealers.map((one) => one.seal()))).filter((count) => count > 0)).toEqual([1]);
    expect((await store.keysPage(SEALS, null, 9)).heads.map(({ key }) => key)).toEqual([sealName(1), sealName(2)]);
  });

  it('keeps a seal small, and stops between pages when it is told to', async () => {
    const store = new MemoryStore();
    const world = new World({}, store);
    for (let n = 0; n < 2300; n++) await store.put(HEADS, `k${n}`, new Uint8Array());
    expect(await new Sealer(store, world.ports).seal(async () => false)).toBe(0);
    expect(await new Sealer(store, world.ports).seal()).toBe(2300);
    const sizes = [];
    for (const n of [1, 2, 3]) {
      const entry = await store.get(SEALS, sealName(n));
      sizes.push((JSON.parse(new TextDecoder().decode(entry?.value)) as { entries: unknown[] }).entries.length);
    }
    expect(sizes).toEqual([1000, 1000, 300]);
  });

  it('leaves what cannot be read unsealed, and seals the rest', async () => {
    const store = new MemoryStore();
    const world = new World({}, store);
    await store.put(HEADS, 'good', new Uint8Array());
    await store.put(HEADS, 'bad', new Uint8Array());
    store.damage(HEADS, 'bad');
    expect(await new Sealer(store, world.ports).seal()).toBe(1);
  });
});

describe('history --verify', () => {
  it('refuses what it cannot check, with its own words and code', async () => {
    const kept = await keptWorld();
    expect((await run(['history', '--verify', '--data', join(kept.data, 'nowhere')])).code).toBe(1);
    expect((await run(['history', '--verify', 'RUN', '--data', kept.data])).code).toBe(2);
    expect((await run(['history', '--verify', '--anchor', 'x', '--data', kept.data])).code).toBe(2);
    const empty = join(dirname(kept.data), 'empty');
    mkdirSync(empty);
    expect((await run(['history', '--verify', '--data', empty])).err).toContain('There is no store');
    writeFileSync(join(kept.root, 'STORE.json'), '{"holdpoint":"store","format":99}');
    const newer = await run(['history', '--verify', '--data', kept.data]);
    expect([newer.code, newer.err]).toEqual([5, expect.stringContaining('newer Holdpoint')]);
    expect(recordName('a', 1)).toContain('0000000001');
  });
});
