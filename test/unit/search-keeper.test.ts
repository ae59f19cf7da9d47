import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { suspensionText } from '../../electron/checkpoints/keys.js';
import { SearchKeeper } from '../../electron/queue/search-keeper.js';
import { klieoRecord, World } from '../helpers/world.js';

const folder = mkdtempSync(join(tmpdir(), 'holdpoint-keeper-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, 'search', 'index');

const runId = (n: number): string => `01K0QZ6V5M3H8D7N2B4C9F1X${String(n).padStart(2, '0')}`;

async function filled(): Promise<{ world: World; wanted: { entry: number; name: string; digest: string }[] }> {
  const world = new World();
  const texts = [
    '{"order":"alpha"}',
    '{"order":"beta"}',
    '{"api_key":"sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD"}',
  ];
  const wanted: { entry: number; name: string; digest: string }[] = [];
  for (const [n, args] of texts.entries()) {
    const key = await world.put(klieoRecord({ runId: runId(n), calls: [{ id: 'c', name: `tool_${n}`, args }] }));
    wanted.push({ entry: n + 5, name: suspensionText(key), digest: `d${n}` });
  }
  return { world, wanted };
}

const hits = (keeper: SearchKeeper, word: string): number[] => {
  const [bits] = keeper.find([word]);
  return [...(bits ?? [])].flatMap((byte, at) =>
    [0, 1, 2, 3, 4, 5, 6, 7].flatMap((bit) => (byte & (1 << bit) ? [at * 8 + bit] : [])),
  );
};
const keep = (world: World): SearchKeeper =>
  new SearchKeeper({ store: world.store, storeId: 'store', path, progress: () => undefined });

it('finds arguments, tools and run ids by entry, forgets what went, and reads what changed anew', async () => {
  const { world, wanted } = await filled();
  const keeper = keep(world);
  keeper.want(wanted, []);
  await vi.waitFor(() => expect(hits(keeper, 'alpha')).toEqual([5]));
  await vi.waitFor(() => expect(hits(keeper, 'order')).toEqual([5, 6]));
  expect(hits(keeper, runId(1).toLowerCase())).toEqual([6]);
  await vi.waitFor(() => expect(hits(keeper, 'api')).toEqual([7]));
  keeper.want([], [5]);
  expect(hits(keeper, 'order')).toEqual([6]);
  keeper.save();
});

it('a secret is found nowhere, and does not stand in the file', async () => {
  const { world, wanted } = await filled();
  const keeper = keep(world);
  keeper.want(wanted, []);
  await vi.waitFor(() => expect(hits(keeper, 'api')).toEqual([7]));
  expect(hits(keeper, 'abcdefghijklmnop')).toEqual([]);
  keeper.save();
  expect(readFileSync(path, 'latin1')).not.toContain('abcdefghijklmnop');
});

it('what was kept is not read again; another digest is, and what nobody asked for is let go', async () => {
  const { world, wanted } = await filled();
  const first = keep(world);
  first.want(wanted, []);
  await vi.waitFor(() => expect(hits(first, 'order')).toEqual([5, 6]));
  await vi.waitFor(() => expect(hits(first, 'api')).toEqual([7]));
  first.save();

  const read = vi.spyOn(world.store, 'get');
  const again = keep(world);
  again.want([{ ...(wanted[0] as (typeof wanted)[0]), entry: 1 }], []);
  expect(hits(again, 'order')).toEqual([1]);
  expect(read).not.toHaveBeenCalled();
  again.want([{ ...(wanted[1] as (typeof wanted)[0]), digest: 'other' }], []);
  await vi.waitFor(() => expect(hits(again, 'beta')).toEqual([6]));
  expect(read).toHaveBeenCalled();
  again.save();
  expect(readFileSync(path, 'latin1')).not.toContain('tool_2');
});
