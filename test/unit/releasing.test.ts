import { beforeEach, describe, expect, it, vi } from 'vitest';
import { suspensionText } from '../../electron/checkpoints/keys.js';
import { load, readDecision, writeDecision } from '../../electron/checkpoints/records.js';
import { itemId } from '../../electron/checkpoints/rows.js';
import { Runner } from '../../electron/checkpoints/runner.js';
import { deciding } from '../../electron/handlers/deciding.js';
import { releasing } from '../../electron/handlers/releasing.js';
import type { ApproveState } from '../../shared/approve.js';
import type { SuspensionKey } from '../../shared/decision.js';
import type { Proposal, Submission } from '../../shared/proposal.js';
import type { Outcome } from '../../shared/refusal.js';
import { klieoRecord, unwrap, World } from '../helpers/world.js';

const MAIL = '{"to":"ops@example.com","subject":"Report"}';
const WIPE = '{"path":"/srv/data"}';

let world: World;
let context: Parameters<typeof releasing>[0];
let scale: number | null;
const broadcast = vi.fn();

beforeEach(() => {
  world = new World();
  scale = 1;
  broadcast.mockClear();
  const timers = { set: () => 0, clear: () => undefined };
  const settings = { get: () => world.settings };
  const runner = new Runner(world.store, world.ports, timers, () => undefined);
  const shell = { broadcast, system: { scale: async () => scale } };
  // What these handlers use of it.
  context = {
    store: world.store,
    ports: world.ports,
    runner,
    settings,
    shell,
    listed: new Map(),
  } as unknown as typeof context;
});

const idOf = (key: SuspensionKey): string => itemId(suspensionText(key));
const put = (...calls: { id: string; name: string; args: string }[]): Promise<SuspensionKey> =>
  world.put(klieoRecord({ calls }));
const mail = { id: 'c1', name: 'send_email', args: MAIL };
const wipe = { id: 'c2', name: 'delete_file', args: WIPE };

/** What the page would submit for these calls; by default all are approved as they are. */
async function submission(key: SuspensionKey, change: object[] = []): Promise<Submission> {
  const { revision, head, record } = unwrap(await load(world.store, key));
  const verdicts = (record.pending ?? []).map(({ index, argumentsSha256 }) => ({
    index,
    argumentsSha256,
    verdict: 'approve' as const,
    ...change[index],
  }));
  return { id: idOf(key), binding: { revision, resumeStep: record.resumeStep, digest: head.digest }, verdicts };
}

const decideProposal = async (key: SuspensionKey, change: object[] = []): Promise<Proposal> => ({
  act: 'decide',
  submission: await submission(key, change),
  unread: [],
});

type Acts = ReturnType<typeof releasing>;

/** Proposes, and waits until the control has something to show, or until it was refused. */
async function propose(proposal: Proposal) {
  const both: Acts = releasing(context);
  const outcome = Promise.resolve(both['approve:offer'](proposal));
  const early = await Promise.race([
    outcome,
    vi.waitFor(() => expect(broadcast).toHaveBeenCalledWith('approve:changed')),
  ]);
  void early;
  const offered = async () => {
    await new Promise((done) => setTimeout(done, 5));
    return unwrap((await both['approve:view']()) as Outcome<ApproveState>).offered;
  };
  let shown = await offered();
  for (let i = 0; i < 20 && shown === null; i++) {
    const ended = await Promise.race([outcome, new Promise((done) => setTimeout(done, 5, 'waits'))]);
    if (ended !== 'waits') break;
    shown = await offered();
  }
  return { page: both, control: both, outcome, shown };
}

/** What is shown of one run. */
const one = (shown: ApproveState['offered']) => (shown?.release.act === 'decide_many' ? undefined : shown?.release);

const decisionOf = async (key: SuspensionKey) => (await readDecision(world.store, key)).kind;

describe('the page cannot release a call', () => {
  it('a submission with an approval is refused, whatever else is in it', async () => {
    const key = await put(mail, wipe);
    const handlers = deciding(context);
    for (const change of [[], [{ verdict: 'reject', reason: 'no' }], [{ editedArguments: MAIL }]])
      expect(await handlers['decide:submit'](await submission(key, change))).toMatchObject({
        ok: false,
        refusal: { code: 'not_allowed' },
      });
    expect(await decisionOf(key)).toBe('none');
  });

  it('nor the step itself', async () => {
    const key = await world.put(klieoRecord({ calls: null }));
    const said = { ...(await submission(key)), step: { verdict: 'approve' as const } };
    expect(await deciding(context)['decide:submit'](said)).toMatchObject({ refusal: { code: 'not_allowed' } });
  });

  it('it may reject', async () => {
    const key = await put(mail);
    const said = await submission(key, [{ verdict: 'reject', reason: 'no' }]);
    expect(await deciding(context)['decide:submit'](said)).toMatchObject({ ok: true });
    expect(await decisionOf(key)).toBe('decision');
  });
});

describe('what the control shows is what main reads', () => {
  it('tool, class, digest and text come from the store and the table', async () => {
    const key = await put(mail, wipe);
    const { shown } = await propose(await decideProposal(key));
    expect(shown?.release).toMatchObject({
      act: 'decide',
      effect: 'destructive',
      route: 'here',
      source: 'local',
      calls: [
        { name: 'send_email', text: MAIL, edited: false, facts: { effect: 'changes', known: false } },
        { name: 'delete_file', text: WIPE, facts: { effect: 'destructive' } },
      ],
    });
    const [first] = one(shown)?.calls ?? [];
    expect(first?.effectiveSha256).toBe(first?.proposedSha256);
  });

  it('an edit is shown as main holds it, with a digest of its own', async () => {
    const key = await put(mail);
    const edited = MAIL.replace('ops', 'dev');
    const { shown } = await propose(await decideProposal(key, [{ editedArguments: edited }]));
    const [call] = one(shown)?.calls ?? [];
    expect(call).toMatchObject({ text: edited, edited: true });
    expect(call?.effectiveSha256).not.toBe(call?.proposedSha256);
  });

  it('what of the batch is not sent is named too', async () => {
    const key = await put(mail, wipe);
    const { shown } = await propose(await decideProposal(key, [{}, { verdict: 'reject', reason: 'no' }]));
    expect(shown?.release).toMatchObject({
      effect: 'changes',
      calls: [{ index: 0 }],
      others: [{ index: 1, verdict: 'reject' }],
    });
  });

  it('I3 a digest of another call, or of another run, is refused', async () => {
    const key = await put(mail);
    const other = await world.put(klieoRecord({ runId: '01K0QZ6V5M3H8D7N2B4C9F1XGB', calls: [wipe] }));
    const [foreign] = (await submission(other)).verdicts;
    const { outcome, shown } = await propose(
      await decideProposal(key, [{ argumentsSha256: foreign?.argumentsSha256 }]),
    );
    expect(shown).toBeNull();
    expect(await outcome).toMatchObject({ ok: false, refusal: { code: 'changed_since_you_looked' } });
  });

  it('what releases nothing needs no control, and a call that is not there is refused', async () => {
    const key = await put(mail);
    const none = await propose(await decideProposal(key, [{ verdict: 'reject', reason: 'no' }]));
    expect(await none.outcome).toMatchObject({ refusal: { code: 'bad_request' } });
    const said = await submission(key);
    const beyond = { ...said, verdicts: said.verdicts.map((verdict) => ({ ...verdict, index: 7 })) };
    const away = await propose({ act: 'decide', submission: beyond, unread: [] });
    expect(await away.outcome).toMatchObject({ refusal: { code: 'changed_since_you_looked' } });
  });
});

describe('a confirmation counts for exactly what was shown', () => {
  it('once: the decision is written, and the second press finds nothing', async () => {
    const key = await put(mail);
    const { control, outcome, shown } = await propose(await decideProposal(key));
    const { offer = '', seal = '' } = shown ?? {};
    expect(await control['approve:confirm'](offer, seal, 1)).toEqual({ ok: true, value: null });
    expect(await control['approve:confirm'](offer, seal, 1)).toMatchObject({
      refusal: { code: 'changed_since_you_looked' },
    });
    expect(await outcome).toMatchObject({
      ok: true,
      value: { outcome: 'decided', decision: { reviewer: { name: 'Ada' } } },
    });
    expect(await decisionOf(key)).toBe('decision');
  });

  it('two presses at one moment are one decision', async () => {
    const key = await put(mail);
    const { control, outcome, shown } = await propose(await decideProposal(key));
    const { offer = '', seal = '' } = shown ?? {};
    const both = await Promise.all([1, 2].map(() => control['approve:confirm'](offer, seal, 1)));
    expect(both.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await outcome).toMatchObject({ ok: true });
  });

  it('not for another seal, and not for a proposal that was taken back or replaced', async () => {
    const key = await put(mail);
    const other = await world.put(klieoRecord({ runId: '01K0QZ6V5M3H8D7N2B4C9F1XGB', calls: [wipe] }));
    const { page, control, outcome, shown } = await propose(await decideProposal(key));
    const { offer = '', seal = '' } = shown ?? {};
    expect(await control['approve:confirm'](offer, 'f'.repeat(64), 1)).toMatchObject({ ok: false });
    const swapped = Promise.resolve(page['approve:offer'](await decideProposal(other)));
    expect(await outcome).toEqual({ ok: true, value: { outcome: 'withdrawn' } });
    expect(await control['approve:confirm'](offer, seal, 1)).toMatchObject({ ok: false });
    await page['approve:withdraw']();
    expect(await swapped).toEqual({ ok: true, value: { outcome: 'withdrawn' } });
    expect([await decisionOf(key), await decisionOf(other)]).toEqual(['none', 'none']);
  });

  it('not after the class of the tool changed: it is shown anew first', async () => {
    const key = await put(mail);
    const { control, shown } = await propose(await decideProposal(key));
    world.settings = {
      ...world.settings,
      tools: [
        { source: '*', server: '*', tool: 'send_email', effect: 'destructive', repeatable: false, noReview: false },
      ],
    };
    const { offer = '', seal = '' } = shown ?? {};
    expect(await control['approve:confirm'](offer, seal, 1)).toMatchObject({
      refusal: { code: 'changed_since_you_looked' },
    });
    const again = unwrap((await control['approve:view']()) as Outcome<ApproveState>).offered;
    expect(again).toMatchObject({ offer, release: { effect: 'destructive' } });
    expect(again?.seal).not.toBe(seal);
    expect(await decisionOf(key)).toBe('none');
  });

  it('I12 not while a part was not shown, by the page’s own report', async () => {
    const key = await put(mail);
    const proposal = { ...(await decideProposal(key)), unread: [{ index: 0, fields: ['subject'] }] } as Proposal;
    const { control, shown } = await propose(proposal);
    const { offer = '', seal = '' } = shown ?? {};
    expect(one(shown)?.unread).toEqual([{ index: 0, fields: ['subject'] }]);
    expect(await control['approve:confirm'](offer, seal, 1)).toMatchObject({ refusal: { code: 'not_allowed' } });
    expect(await decisionOf(key)).toBe('none');
  });

  it('not from a control that is shrunk beside its window', async () => {
    const key = await put(mail);
    scale = 2;
    const { control, shown } = await propose(await decideProposal(key));
    const { offer = '', seal = '' } = shown ?? {};
    expect(await control['approve:confirm'](offer, seal, 0.4)).toMatchObject({ refusal: { code: 'not_allowed' } });
    expect(await control['approve:confirm'](offer, seal, 2)).toMatchObject({ ok: true });
  });

  it('left: nothing is decided, and the page is told the key that was meant', async () => {
    const key = await put(mail);
    const { control, outcome, shown } = await propose(await decideProposal(key));
    await control['approve:leave'](shown?.offer ?? '', 'down');
    expect(await outcome).toEqual({ ok: true, value: { outcome: 'left', action: 'down' } });
    expect(await decisionOf(key)).toBe('none');
  });

  it('without a name nothing is decided', async () => {
    const key = await put(mail);
    world.settings = { ...world.settings, reviewer: ' ' };
    const { control, outcome, shown } = await propose(await decideProposal(key));
    await control['approve:confirm'](shown?.offer ?? '', shown?.seal ?? '', 1);
    expect(await outcome).toMatchObject({ refusal: { code: 'not_allowed', facts: { missing: 'reviewer' } } });
    expect(await decisionOf(key)).toBe('none');
  });
});

describe('acts that send what was approved before', () => {
  it('continue shows the calls of the decision that were not started, and sends them once', async () => {
    const key = await put(mail, wipe);
    unwrap(await world.decide(key, ['approve', { reject: 'no' }]));
    const { control, outcome, shown } = await propose({ act: 'continue', id: idOf(key) });
    expect(shown?.release).toMatchObject({ act: 'continue', calls: [{ name: 'send_email', text: MAIL }] });
    expect(world.ledger).toEqual([]);
    await control['approve:confirm'](shown?.offer ?? '', shown?.seal ?? '', 1);
    expect(await outcome).toEqual({ ok: true, value: { outcome: 'done' } });
    expect(world.ledger).toEqual([{ tool: 'send_email', arguments: MAIL }]);
    const again = await propose({ act: 'continue', id: idOf(key) });
    expect(one(again.shown)?.calls).toEqual([]);
    await again.control['approve:confirm'](again.shown?.offer ?? '', again.shown?.seal ?? '', 1);
    expect(await again.outcome).toMatchObject({ refusal: { code: 'nothing_to_continue' } });
    expect(world.ledger).toHaveLength(1);
  });

  it('I3 continue goes by the decision that the claim pinned: one taken back too late still shows what will be sent', async () => {
    const key = await put(mail, wipe);
    unwrap(await world.decide(key, ['approve', 'approve']));
    world.script = () => {
      world.stop.abort();
      return { kind: 'result', text: 'ok' };
    };
    await world.resume(key);
    world.stop = new AbortController();
    const at = await readDecision(world.store, key);
    if (at.kind !== 'decision') throw new Error('no decision');
    const withdrawn = { by: 'Ada', at: '2026-03-02T09:00:00Z' };
    await writeDecision(world.store, { ...at.decision, withdrawn }, at.revision);
    const { shown } = await propose({ act: 'continue', id: idOf(key) });
    expect(one(shown)?.calls.map(({ name }) => name)).toEqual([wipe.name]);
    expect(one(shown)?.effect).toBe('destructive');
  });

  it('K13 dispatch again shows the unknown calls, and asks the table', async () => {
    const key = await world.put(klieoRecord({ calls: [mail], latched: true }));
    const { control, outcome, shown } = await propose({ act: 'redispatch', id: idOf(key) });
    expect(shown?.release).toMatchObject({ act: 'redispatch', calls: [{ name: 'send_email', text: MAIL }] });
    await control['approve:confirm'](shown?.offer ?? '', shown?.seal ?? '', 1);
    expect(await outcome).toMatchObject({ refusal: { code: 'ResumeReplayBlocked' } });
    expect(world.ledger).toEqual([]);
  });

  it('I3 dispatch again under a latch shows the calls that go out with it: the unknown one and all that were not started', async () => {
    const key = await put(mail, wipe);
    unwrap(await world.decide(key, ['approve', 'approve']));
    world.script = () => ({ kind: 'unknown', cause: 'timeout', text: 'nobody knows' });
    await world.resume(key);
    const { shown } = await propose({ act: 'redispatch', id: idOf(key) });
    expect(one(shown)?.calls.map(({ name }) => name)).toEqual(['send_email', wipe.name]);
    expect(one(shown)?.effect).toBe('destructive');
  });

  it('R7 no turn in flight: nothing to run again', async () => {
    const key = await put(mail);
    const { id, binding } = await submission(key);
    const { outcome } = await propose({ act: 'retry_turn', id, binding, repair: false });
    expect(await outcome).toMatchObject({ ok: false, refusal: { code: 'not_waiting' } });
  });
});
