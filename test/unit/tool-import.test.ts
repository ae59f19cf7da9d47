import { describe, expect, test } from 'vitest';
import { undo } from '../../electron/checkpoints/decide.js';
import { ToolCounts } from '../../electron/checkpoints/tool-counts.js';
import { tabling } from '../../electron/handlers/tabling.js';
import { countsByRow, lowestBeside, proposedRow, standingIn, withRow } from '../../shared/tool-import.js';
import { type Effect, type ToolClaims, type ToolRow, toolFacts } from '../../shared/tool-table.js';
import { klieoRecord, unwrap, World } from '../helpers/world.js';

const row = (change: Partial<ToolRow>): ToolRow => ({
  source: '*',
  server: '*',
  tool: 'send',
  effect: 'changes',
  repeatable: false,
  noReview: false,
  ...change,
});
const offered = (name: string, claims: ToolClaims = {}) => ({ name, description: '', claims });

describe('a proposed row is never lower than the claim, and no claim lowers it', () => {
  test.each<[ToolClaims, Effect, Effect]>([
    [{}, 'read_only', 'changes'],
    [{ readOnly: true, idempotent: true }, 'read_only', 'changes'],
    [{ readOnly: false }, 'changes', 'changes'],
    [{ destructive: true }, 'destructive', 'destructive'],
    [{ readOnly: true, destructive: true }, 'destructive', 'destructive'],
  ])('%j', (claims, lowest, proposed) => {
    expect(lowestBeside(claims)).toBe(lowest);
    expect(proposedRow('fs', offered('t', claims))).toEqual(row({ server: 'fs', tool: 't', effect: proposed }));
  });
});

describe('conflicts with the table', () => {
  const table = [
    row({ tool: 'send_*', effect: 'destructive' }),
    row({ server: 'fs', tool: 'read', effect: 'read_only' }),
  ];

  test('a row of the same name is not proposed again, a wider one is named, a new one goes to the end', () => {
    expect(standingIn(table, row({ server: 'fs', tool: 'read' }))).toMatchObject({ kind: 'same', at: 1 });
    expect(standingIn(table, row({ server: 'fs', tool: 'send_mail' }))).toMatchObject({ kind: 'wider', at: 0 });
    expect(standingIn(table, row({ server: 'fs', tool: 'wipe' }))).toEqual({ kind: 'new' });
    expect(withRow(table, row({ server: 'fs', tool: 'read' }))).toEqual(table);
  });

  test('what is added counts', () => {
    for (const tool of ['send_mail', 'wipe']) {
      const added = withRow(table, row({ server: 'fs', tool, effect: 'read_only', repeatable: true }));
      expect(toolFacts(added, 'any', 'fs', tool)).toMatchObject({ known: true, effect: 'read_only', repeatable: true });
      expect(toolFacts(added, 'any', 'fs', 'send_other').effect).toBe('destructive');
    }
  });

  test('a row of one source does not stand in the way of one for all', () => {
    const own = [row({ source: 'mail', server: 'fs', tool: 'read' })];
    expect(standingIn(own, row({ server: 'fs', tool: 'read' })).kind).toBe('new');
  });
});

describe('history counts beside each row', () => {
  const count = (source: string, tool: string, approved: number) => ({
    ...{ source, tool, approved },
    ...{ edited: 0, rejected: 1, failed: 0 },
  });

  test('the first row that may speak of a call has it', () => {
    const table = [row({ tool: 'send_mail', source: 'a' }), row({ tool: 'send_*' }), row({ tool: '*' })];
    const counts = [count('a', 'send_mail', 3), count('b', 'send_mail', 5), count('b', 'wipe', 7)];
    expect(countsByRow(table, counts).map(({ approved }) => approved)).toEqual([3, 5, 7]);
    expect(countsByRow([], counts)).toEqual([]);
  });

  test('are kept up to date by what the store names; what was taken back counts as nothing; failures and periods', async () => {
    const world = new World();
    const counts = new ToolCounts(world.store);
    const put = (n: number, name: string) =>
      world.put(klieoRecord({ runId: `01K0QZ6V5M3H8D7N2B4C9F000${n}`, calls: [{ id: 'c', name, args: '{}' }] }));
    const now = Number(world.now / 1_000_000n);
    const since = async (days: number) => counts.since(now - days * 86_400_000);
    const first = await put(1, 'send_email');
    expect(await since(1)).toEqual([]);
    unwrap(await world.decide(first, ['approve']));
    const none = { source: 'local', tool: 'send_email', approved: 0, edited: 0, rejected: 0, failed: 0 };
    expect(await since(1)).toEqual([{ ...none, approved: 1 }]);
    unwrap(await undo(world.store, world.ports, first, 'Ada'));
    expect(await since(1)).toEqual([]);
    unwrap(await world.decide(first, [{ edit: '{"a":1}' }]));
    world.script = () => ({ kind: 'error', text: 'no' });
    unwrap(await world.resume(first));
    unwrap(await world.decide(await put(2, 'send_email'), [{ reject: 'no' }]));
    expect(await since(1)).toEqual([{ ...none, edited: 1, rejected: 1, failed: 1 }]);
    expect(await counts.since(now + 1)).toEqual([]);
    // A process that begins now counts the same.
    const anew = new ToolCounts(world.store);
    expect(await anew.since(0)).toEqual(await since(1));
    anew.close();
    counts.close();
  });
});

test('what a server offers is its own, cut where it is long, and nothing of another server', async () => {
  const world = new World();
  const tools = [
    { server: 'ledger', name: 'a', description: 'x'.repeat(600), inputSchema: '{}', claims: { destructive: true } },
    { server: 'other', name: 'b', description: '', inputSchema: '{}', claims: {} },
  ];
  const open = async () => ({
    ok: true as const,
    value: { tools, call: async () => world.script('', ''), close: async () => undefined },
  });
  const acts = tabling({ ports: { ...world.ports, tools: { open } }, counts: { since: async () => [] } });
  const listed = unwrap(await acts['server:tools']('ledger'));
  expect(listed).toEqual([{ name: 'a', description: 'x'.repeat(500), claims: { destructive: true } }]);
});
