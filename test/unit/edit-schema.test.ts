import { beforeEach, describe, expect, test } from 'vitest';
import { decide } from '../../electron/checkpoints/decide.js';
import { detailOf } from '../../electron/checkpoints/detail.js';
import { load } from '../../electron/checkpoints/records.js';
import { releaseOf } from '../../electron/checkpoints/release.js';
import type { ListedTool } from '../../electron/ports.js';
import type { SuspensionKey, Verdict } from '../../shared/decision.js';
import type { Outcome } from '../../shared/refusal.js';
import { itemOf } from '../helpers/acting.js';
import { klieoRecord, unwrap, World } from '../helpers/world.js';

const SCHEMA = { type: 'object', properties: { amount: { type: 'integer', maximum: 1000 } }, required: ['amount'] };
const tool: ListedTool = {
  server: 'ledger',
  name: 'post_transfer',
  description: '',
  inputSchema: JSON.stringify(SCHEMA),
  claims: {},
};

let world: World;
let key: SuspensionKey;
beforeEach(async () => {
  world = new World();
  key = await world.put(klieoRecord({ calls: [{ id: 'c', name: 'post_transfer', args: '{"amount":5}' }] }));
});

async function bound() {
  const { revision, head, record } = unwrap(await load(world.store, key));
  const binding = { revision, resumeStep: record.resumeStep, digest: head.digest };
  return { binding, sha: record.pending?.[0]?.argumentsSha256 ?? '' };
}

async function said(change: Partial<Verdict>): Promise<Outcome<unknown>> {
  const { binding, sha } = await bound();
  const verdicts = [{ index: 0, argumentsSha256: sha, verdict: 'approve' as const, ...change }];
  const submitted = { key, binding, verdicts, repair: false, reviewer: { name: 'Ada' } };
  return decide(world.store, { ...world.ports, listed: () => [tool] }, submitted);
}

describe('an edit is held to the schema of its tool server, by main', () => {
  test('one that breaks it is refused with place and words, and nothing is decided', async () => {
    expect(await said({ editedArguments: '{"amount":5000}' })).toMatchObject({
      refusal: { code: 'invalid_edit', text: expect.stringContaining('amount: 5000 is greater than 1000') },
    });
    expect(unwrap(await load(world.store, key)).decision.kind).toBe('none');
  });

  test('one that fits is taken', async () => {
    unwrap(await said({ editedArguments: '{"amount":50}' }));
  });

  test('the approve control is not offered one that breaks it', async () => {
    const { binding, sha } = await bound();
    const verdict = { index: 0, argumentsSha256: sha, verdict: 'approve' as const, editedArguments: '{"amount":5000}' };
    const submission = { id: itemOf(key), binding, verdicts: [verdict] };
    const proposal = { act: 'decide' as const, submission, unread: [] };
    const release = await releaseOf(world.store, world.ports, key, proposal, [tool]);
    expect(release).toMatchObject({ refusal: { code: 'invalid_edit' } });
  });
});

describe('C20: a change of type is said to main, each by name', () => {
  test('not confirmed: refused; another one confirmed: refused', async () => {
    const text = '{"amount":"5"}';
    world.offered = null;
    const { binding, sha } = await bound();
    const take = (typesChanged?: string[]) =>
      decide(world.store, world.ports, {
        key,
        binding,
        repair: false,
        reviewer: { name: 'Ada' },
        verdicts: [
          {
            index: 0,
            argumentsSha256: sha,
            verdict: 'approve',
            editedArguments: text,
            ...(typesChanged && { typesChanged }),
          },
        ],
      });
    expect(await take()).toMatchObject({ refusal: { code: 'invalid_edit' } });
    expect(await take(['other: number → string'])).toMatchObject({ refusal: { code: 'invalid_edit' } });
    const decision = unwrap(await take(['amount: number → string']));
    expect(decision.verdicts[0]?.typesChanged).toEqual(['amount: number → string']);
  });

  test('the approve control says it', async () => {
    const { binding, sha } = await bound();
    const typesChanged = ['amount: number → string'];
    const verdict = {
      index: 0,
      argumentsSha256: sha,
      verdict: 'approve' as const,
      editedArguments: '{"amount":"5"}',
      typesChanged,
    };
    const proposal = {
      act: 'decide' as const,
      submission: { id: itemOf(key), binding, verdicts: [verdict] },
      unread: [],
    };
    const release = unwrap(await releaseOf(world.store, world.ports, key, proposal, []));
    expect(release.calls[0]?.typesChanged).toEqual(typesChanged);
  });
});

test('proposed arguments that do not fit are warned of, with the place, and are not blocked', async () => {
  const other = await world.put(
    klieoRecord({
      runId: '01K0QZ6V5M3H8D7N2B4C9F1XGB',
      calls: [{ id: 'c', name: 'post_transfer', args: '{"amount":"5"}' }],
    }),
  );
  const context = { waiting: () => null, running: false, listed: [tool] };
  const [call] = unwrap(await detailOf(world.store, world.ports, other, context)).calls;
  expect(call?.hasSchema).toBe(true);
  expect(call?.warnings).toMatchObject([
    {
      code: 'breaks_schema',
      path: 'pending_tool_calls[0].args.amount',
      text: expect.stringContaining('is of type string, expected "integer"'),
      blocksApproval: false,
    },
  ]);
});
