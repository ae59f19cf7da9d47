import { beforeEach, describe, expect, it } from 'vitest';
import { decide } from '../../electron/checkpoints/decide.js';
import { load, readDecision } from '../../electron/checkpoints/records.js';
import type { ApproveState } from '../../shared/approve.js';
import type { BulkList } from '../../shared/bulk.js';
import type { SuspensionKey } from '../../shared/decision.js';
import type { Proposal, Submission } from '../../shared/proposal.js';
import type { Outcome } from '../../shared/refusal.js';
import { Source } from '../../shared/settings.js';
import type { ToolRow } from '../../shared/tool-table.js';
import { acting, itemOf } from '../helpers/acting.js';
import { klieoRecord, unwrap, World } from '../helpers/world.js';

type Call = { id: string; name: string; args: string };
let world: World;
let acts: ReturnType<typeof acting>;
let count: number;

const row = (tool: string, effect: ToolRow['effect']): ToolRow => ({
  source: '*',
  server: '*',
  tool,
  effect,
  repeatable: false,
  noReview: false,
});
const put = (...calls: Call[]): Promise<SuspensionKey> =>
  world.put(klieoRecord({ runId: `01K0QZ6V5M3H8D7N2B4C9F1X${String(count++).padStart(2, '0')}`, calls }));
const search = (n: number): Call => ({ id: 'c', name: 'search_kb', args: `{"query":"deposit ${n}"}` });
const read = async (keys: SuspensionKey[], said: 'approve' | 'reject' = 'approve'): Promise<BulkList> =>
  unwrap((await acts['bulk:read'](keys.map(itemOf), said)) as Outcome<BulkList>);

const submissionsOf = (list: BulkList, verdict: 'approve' | 'reject' = 'approve'): Submission[] =>
  list.runs.map(({ id, binding, calls }) => ({
    id,
    binding,
    verdicts: calls.map(({ index, argumentsSha256 }) => ({ index, argumentsSha256, verdict })),
  }));
const kindOf = async (key: SuspensionKey) => (await readDecision(world.store, key)).kind;

/** What the control shows of a list now; null when it asks nothing. */
async function shown() {
  for (let i = 0; i < 50; i++) {
    const { offered } = unwrap((await acts['approve:view']()) as Outcome<ApproveState>);
    if (offered?.release.act === 'decide_many') return { ...offered, release: offered.release };
    await new Promise((done) => setImmediate(done));
  }
  return null;
}
function offer(submissions: Submission[]) {
  const outcome = Promise.resolve(acts['approve:offer']({ act: 'decide_many', submissions } satisfies Proposal));
  return { outcome, shown: shown() };
}

beforeEach(() => {
  count = 10;
  world = new World({
    tools: [row('search_kb', 'read_only'), row('delete_file', 'destructive'), row('send', 'changes')],
  });
  acts = acting(world);
});

describe('what may stand in one list', () => {
  it('runs of one tool and one class, each with binding, digest and text', async () => {
    const keys = [await put(search(1)), await put(search(2))];
    const list = await read(keys);
    expect(list.leftOut).toEqual([]);
    expect(list.runs.map(({ effect, calls }) => [effect, calls.map(({ name, text }) => [name, text])])).toEqual([
      ['read_only', [['search_kb', '{"query":"deposit 1"}']]],
      ['read_only', [['search_kb', '{"query":"deposit 2"}']]],
    ]);
  });

  it('REVIEWERS: never across tools or classes, and the dangerous class never; each with its reason', async () => {
    const wipe = { id: 'c', name: 'delete_file', args: '{"path":"/srv"}' };
    const keys = [
      await put(search(1)),
      await put({ id: 'c', name: 'send', args: '{"to":"a@b.c"}' }),
      await put(wipe),
      await put(search(2), { ...wipe, id: 'd' }),
    ];
    const list = await read(keys);
    expect(list.runs).toHaveLength(1);
    expect(list.leftOut.map(({ why }) => why)).toEqual([
      expect.stringContaining('Its tool is send'),
      expect.stringContaining('dangerous class is never approved in a list'),
      expect.stringContaining('several tools'),
    ]);
    // Rejecting it sends nothing: then it may.
    expect((await read([keys[2] as SuspensionKey], 'reject')).runs).toHaveLength(1);
  });

  it('I12 what the control would not show whole, or what has a warning, is read on its card', async () => {
    const keys = [
      await put(search(1)),
      await put({ id: 'c', name: 'search_kb', args: JSON.stringify({ query: 'x'.repeat(700) }) }),
      await put({ id: 'c', name: 'search_kb', args: `{"query":"${'\\n'.repeat(3)}${' a'.repeat(3)}\u202e"}` }),
      await put({ id: '', name: 'search_kb', args: '{"query":1,"query":2}' }),
    ];
    const list = await read(keys);
    expect(list.runs).toHaveLength(1);
    expect(list.leftOut.map(({ why }) => why)).toEqual([
      expect.stringContaining('too long for a list'),
      expect.stringContaining('has a warning'),
      expect.stringContaining('duplicate key'),
    ]);
  });

  it('what does not fit the schema of its server is read on its card', async () => {
    const inputSchema = '{"type":"object","properties":{"query":{"type":"number"}}}';
    const tool = { server: 'ledger', name: 'search_kb', description: '', inputSchema, claims: {} };
    world.settings = {
      ...world.settings,
      sources: [Source.parse({ name: 'local', profile: { model: 'm', servers: ['ledger'] } })],
    };
    acts = acting(world, new Map([['ledger', [tool]]]));
    const list = await read([await put(search(1)), await put({ ...search(2), args: '{"query":2}' })]);
    expect(list.runs).toHaveLength(1);
    expect(list.leftOut).toEqual([expect.objectContaining({ why: expect.stringContaining('has a warning') })]);
  });

  it('what is decided already, and what cannot be read, drops out', async () => {
    const [first, second] = [await put(search(1)), await put(search(2))];
    unwrap(await world.decide(second, ['approve']));
    const list = unwrap(
      (await acts['bulk:read']([itemOf(first), itemOf(second), 'f:broken.json'], 'approve')) as Outcome<BulkList>,
    );
    expect(list.runs.map(({ id }) => id)).toEqual([itemOf(first)]);
    expect(list.leftOut.map(({ why }) => why)).toEqual([
      expect.stringMatching(/Ada decided it/),
      expect.stringContaining('cannot be read'),
    ]);
  });
});

describe('approving together', () => {
  it('the page alone cannot: neither one by one nor together', async () => {
    const list = await read([await put(search(1)), await put(search(2))]);
    expect(await acts['decide:submit-many'](submissionsOf(list))).toMatchObject({
      ok: false,
      refusal: { code: 'not_allowed' },
    });
  });

  it('the control lists main’s own reading; one confirmation decides exactly these, under one batchId', async () => {
    const keys = [await put(search(1)), await put(search(2)), await put(search(3))];
    const { outcome, shown: view } = offer(submissionsOf(await read(keys)));
    const seen = await view;
    expect(seen?.release).toMatchObject({ tool: 'search_kb', effect: 'read_only', leftOut: [] });
    expect(seen?.release.runs.map(({ calls }) => calls[0]?.text)).toEqual(
      [1, 2, 3].map((n) => `{"query":"deposit ${n}"}`),
    );
    await acts['approve:confirm'](seen?.offer ?? '', seen?.seal ?? '', 1);
    const ended = unwrap((await outcome) as Outcome<{ outcome: string; decided: { batchId: string; told: object[] } }>);
    expect(ended).toMatchObject({ outcome: 'decided_many', decided: { told: [{}, {}, {}] } });
    for (const key of keys) {
      const at = await readDecision(world.store, key);
      expect(at).toMatchObject({ kind: 'decision', decision: { batchId: ended.decided.batchId } });
    }
  });

  it('I3 one that changed drops out with words, the rest is asked again, and the press on its way counts for nothing', async () => {
    const keys = [await put(search(1)), await put(search(2))];
    const [first, second] = keys as [SuspensionKey, SuspensionKey];
    const { outcome, shown: view } = offer(submissionsOf(await read(keys)));
    const seen = await view;
    unwrap(await world.decide(second, ['approve']));
    expect(await acts['approve:confirm'](seen?.offer ?? '', seen?.seal ?? '', 1)).toMatchObject({
      refusal: { code: 'changed_since_you_looked' },
    });
    expect(await kindOf(first)).toBe('none');
    const again = await shown();
    expect(again?.seal).not.toBe(seen?.seal);
    expect(again?.release.runs.map(({ id }) => id)).toEqual([itemOf(first)]);
    expect(again?.release.leftOut).toMatchObject([{ id: itemOf(second), why: expect.stringMatching(/decided it/) }]);
    await acts['approve:confirm'](again?.offer ?? '', again?.seal ?? '', 1);
    expect(await outcome).toMatchObject({
      value: { decided: { told: [{ id: itemOf(first), answer: { ok: true } }] }, leftOut: [{ id: itemOf(second) }] },
    });
  });

  it('I3 another digest, an edit, a note of another verdict, or a binding that is old: not in it', async () => {
    const keys = [await put(search(1)), await put(search(2)), await put(search(3)), await put(search(4))];
    const submissions = submissionsOf(await read(keys));
    const change = (n: number, more: object): void => {
      const one = submissions[n] as Submission;
      submissions[n] = { ...one, verdicts: one.verdicts.map((verdict) => ({ ...verdict, ...more })) };
    };
    change(1, { argumentsSha256: 'f'.repeat(64) });
    change(2, { editedArguments: '{"query":"other"}' });
    const last = submissions[3] as Submission;
    submissions[3] = { ...last, binding: { ...last.binding, revision: last.binding.revision + 1 } };
    const seen = await offer(submissions).shown;
    expect(seen?.release.runs.map(({ id }) => id)).toEqual([itemOf(keys[0] as SuspensionKey)]);
    expect(seen?.release.leftOut).toHaveLength(3);
  });

  it('a class that changed under it drops all of it out: nothing is asked any more', async () => {
    const { outcome, shown: view } = offer(submissionsOf(await read([await put(search(1))])));
    const seen = await view;
    world.settings = { ...world.settings, tools: [row('search_kb', 'destructive')] };
    expect(await acts['approve:confirm'](seen?.offer ?? '', seen?.seal ?? '', 1)).toMatchObject({ ok: false });
    expect(await outcome).toMatchObject({ refusal: { text: expect.stringContaining('dangerous class') } });
  });

  it('the keys that confirm are part of the seal', async () => {
    const { shown: view } = offer(submissionsOf(await read([await put(search(1))])));
    const seen = await view;
    world.settings = { ...world.settings, keys: { approve: ['j'], down: ['z'] } };
    expect(await acts['approve:confirm'](seen?.offer ?? '', seen?.seal ?? '', 1)).toMatchObject({
      refusal: { code: 'changed_since_you_looked' },
    });
  });
});

describe('rejecting together, and taking back', () => {
  it('one reason reaches each; who came second is told by itself', async () => {
    const keys = [await put(search(1)), await put(search(2))];
    const [first, second] = keys as [SuspensionKey, SuspensionKey];
    const submissions = submissionsOf(await read(keys, 'reject'), 'reject').map((one) => ({
      ...one,
      verdicts: one.verdicts.map((verdict) => ({ ...verdict, reason: 'Not today.' })),
    }));
    unwrap(
      await decide(world.store, world.ports, {
        key: second,
        binding: submissions[1]?.binding as Submission['binding'],
        verdicts: (submissions[1] as Submission).verdicts,
        repair: false,
        reviewer: { name: 'Grace' },
      }),
    );
    expect(await acts['decide:submit-many'](submissions)).toMatchObject({
      value: {
        told: [
          { id: itemOf(first), answer: { ok: true, value: { verdicts: [{ reason: 'Not today.' }] } } },
          { id: itemOf(second), answer: { ok: false, refusal: { code: 'already_decided' } } },
        ],
      },
    });
  });

  it('the whole act can be taken back, and one of it', async () => {
    world.settings = { ...world.settings, undoSeconds: 60 };
    const keys = [await put(search(1)), await put(search(2)), await put(search(3))];
    await acts['decide:submit-many'](submissionsOf(await read(keys, 'reject'), 'reject'));
    const [first, ...rest] = keys as [SuspensionKey, ...SuspensionKey[]];
    expect(await acts['decide:undo'](itemOf(first))).toMatchObject({ ok: true });
    expect(await acts['decide:undo-many'](keys.map(itemOf))).toMatchObject({
      value: [
        { answer: { ok: false, refusal: { code: 'not_decided' } } },
        { answer: { ok: true } },
        { answer: { ok: true } },
      ],
    });
    for (const key of rest)
      expect(unwrap(await load(world.store, key)).decision).toMatchObject({ decision: { withdrawn: { by: 'Ada' } } });
  });
});
