import { beforeEach, describe, expect, test } from 'vitest';
import { decide, undo } from '../../electron/checkpoints/decide.js';
import { changeDesk } from '../../electron/checkpoints/desk.js';
import { historyOf } from '../../electron/checkpoints/history.js';
import { EVIDENCE } from '../../electron/checkpoints/keys.js';
import { load, readDecision } from '../../electron/checkpoints/records.js';
import { listRows } from '../../electron/checkpoints/rows.js';
import { countAnswers, pauseRules } from '../../electron/checkpoints/rules/records.js';
import { verifyDecision } from '../../electron/checkpoints/signatures.js';
import type { SuspensionKey } from '../../shared/decision.js';
import { matchesFilter } from '../../shared/history-filter.js';
import { itemOf } from '../helpers/acting.js';
import { exactly, MAIL, RuleWorld } from '../helpers/rules.js';
import { at, refusalOf, unwrap } from '../helpers/world.js';

let world: RuleWorld;
let first: SuspensionKey;
beforeEach(async () => {
  world = new RuleWorld();
  first = await world.ask();
});

const decisionOf = async (key: SuspensionKey) => {
  const found = await readDecision(world.store, key);
  return found.kind === 'decision' ? found.decision : null;
};
/** Everything that waits is looked at. */
const look = () => world.watch.lookAgain();

describe('a new rule is in shadow', () => {
  test('it decides nothing, however often it is looked at', async () => {
    await world.rule(exactly(), first, 'shadow');
    const next = await world.ask();
    await look();
    expect(await decisionOf(first)).toBeNull();
    expect(await decisionOf(next)).toBeNull();
  });

  test('counts what people said where it speaks: of later decisions and of earlier ones, once each', async () => {
    const before = await world.ask();
    unwrap(await world.decide(before, ['approve']));
    const rule = await world.rule(exactly(), first, 'shadow');
    await world.watch.lookBackFor(rule);
    world.watch.begin();
    unwrap(await world.decide(first, [{ reject: 'no' }]));
    const edited = await world.ask();
    unwrap(await world.decide(edited, [{ edit: '{"to":"a@example.com","subject":"Report"}' }]));
    const other = await world.ask({ name: 'send_email', args: '{"to":"b@example.com","subject":"Report"}' });
    unwrap(await world.decide(other, ['approve']));
    await world.watch.lookBackFor(rule);
    await look();
    expect((await world.list()).rules[0]?.figures).toEqual({ approved: 1, edited: 1, rejected: 1 });
    world.watch.end();
  });

  test('a decision that was taken back counts no more', async () => {
    const rule = await world.rule(exactly(), first, 'shadow');
    unwrap(await world.decide(first, [{ reject: 'no' }]));
    await world.watch.lookBackFor(rule);
    expect((await world.list()).rules[0]?.figures.rejected).toBe(1);
    unwrap(await undo(world.store, world.ports, first, 'Ada'));
    await world.watch.lookBackFor(rule);
    expect((await world.list()).rules[0]?.figures.rejected).toBe(0);
  });
});

describe('a live rule', () => {
  test('decides through the same decision as everybody, in its owner’s name, with its mark, bound to what it read', async () => {
    const rule = await world.rule(exactly(), first);
    await look();
    const decision = await decisionOf(first);
    const { head, revision } = unwrap(await load(world.store, first));
    expect(decision).toMatchObject({
      reviewer: { name: 'Ada' },
      rules: [{ id: rule.id, name: 'Reports to ops', calls: [0] }],
      verdicts: [{ index: 0, verdict: 'approve' }],
      digest: head.digest,
      revision,
    });
    // Signed by this machine's key, and the mark is part of what is signed.
    const known = world.ports.signing.known();
    if (decision === null) throw new Error('it was decided');
    expect(unwrap(verifyDecision(decision, known))).toHaveLength(1);
    const { rules: _, ...unmarked } = decision;
    expect(refusalOf(verifyDecision(unmarked, known))).toBe('signature_wrong');
    expect(world.decidedByRule).toEqual([first]);
    unwrap(await world.resume(first));
    expect(world.ledger).toEqual([{ tool: 'send_email', arguments: MAIL }]);
  });

  test('answers what comes in later, by itself', async () => {
    await world.rule(exactly(), first);
    world.watch.begin();
    const next = await world.ask();
    await expect.poll(() => decisionOf(next)).not.toBeNull();
    world.watch.end();
  });

  test('has the undo window; what a person took back it does not answer again', async () => {
    world.settings = { ...world.settings, undoSeconds: 60 };
    await world.rule(exactly(), first);
    await look();
    expect(await decisionOf(first)).toMatchObject({ notBefore: '2026-07-20T10:01:00Z' });
    unwrap(await undo(world.store, world.ports, first, 'Ada'));
    await look();
    expect(await decisionOf(first)).toMatchObject({ withdrawn: { by: 'Ada' } });
  });

  test('is told as what it is: in the list, in the history, and to who filters by it', async () => {
    await world.rule(exactly(), first);
    await look();
    const [row] = await listRows(world.store, world.ports, () => null);
    expect(row).toMatchObject({ decidedBy: 'Ada', decidedByRule: 'Reports to ops' });
    expect(row?.note).toBe('The rule “Reports to ops” of Ada decided (approve); not executed yet');
    const event = (await historyOf(world.store, first)).find(({ kind }) => kind === 'decided');
    expect(event?.text).toBe('by the rule “Reports to ops”, no person looked; call 1: approved');
    expect(event && matchesFilter(event, { decider: 'rule' })).toBe(true);
    expect(event && matchesFilter(event, { decider: 'person' })).toBe(false);
  });

  test('a rejection tells the agent the reason, and that a standing rule gave it', async () => {
    await world.rule(exactly({ verdict: 'reject', reason: 'Reports go out on Fridays.' }), first);
    await look();
    expect((await decisionOf(first))?.verdicts[0]).toMatchObject({
      verdict: 'reject',
      reason: 'Reports go out on Fridays. (A standing rule of Ada says so: Reports to ops.)',
    });
  });
});

describe('what no rule answers', () => {
  const never = async (key: SuspensionKey): Promise<void> => {
    await look();
    expect(await decisionOf(key)).toBeNull();
  };

  test('the destructive class: not when it is made, not when the class came later, not when it was decided', async () => {
    const wipe = await world.ask({ name: 'delete_file', args: '{"path":"/x"}' });
    const draft = exactly({ conditions: [{ pointer: '/path', test: 'equals', value: '"/x"' }] });
    expect(refusalOf(await world.acts['rules:add'](itemOf(wipe), 0, draft))).toBe('not_allowed');
    expect(world.asked).toEqual([]);
    await world.rule(exactly(), first);
    world.listed = [{ ...world.listed[0], claims: { destructive: true } } as (typeof world.listed)[0]];
    await never(first);
    world.listed = world.listed.map((tool) => ({ ...tool, claims: {} }));
    await look();
    expect(await decisionOf(first)).not.toBeNull();
    const tools = world.settings.tools.map((row) => ({ ...row, effect: 'destructive' as const }));
    world.settings = { ...world.settings, tools };
    expect(refusalOf(await world.resume(first))).toBe('not_allowed');
    expect(world.ledger).toEqual([]);
  });

  test('a tool that is not in the table any more', async () => {
    await world.rule(exactly(), first);
    world.settings = { ...world.settings, tools: [] };
    await never(first);
  });

  test('what has hidden characters, a look-alike name, a key twice, or does not fit its schema', async () => {
    const [tool] = world.listed;
    await world.rule(exactly({ conditions: [{ pointer: '/to', test: 'prefix', prefix: 'ops' }], others: true }), first);
    await look();
    const hidden = await world.ask({ name: 'send_email', args: '{"to":"ops\\u200b@example.com"}' });
    const twice = await world.ask({ name: 'send_email', args: '{"to":"ops","to":"ops"}' });
    const alike = await world.ask({ name: 'send_emaіl', args: '{"to":"ops"}' });
    const batch = await world.ask({ name: 'send_email', args: '{"to":"ops"}' }, { name: 'sеnd_email', args: '{}' });
    for (const key of [hidden, twice, alike, batch]) await never(key);
    if (tool) world.listed = [{ ...tool, inputSchema: '{"properties":{"to":{"maxLength":2}}}' }];
    await never(await world.ask({ name: 'send_email', args: '{"to":"ops"}' }));
    if (tool) world.listed = [tool];
    const plain = await world.ask({ name: 'send_email', args: '{"to":"ops"}' });
    await look();
    expect(await decisionOf(plain)).not.toBeNull();
  });

  test('a batch of which one call is left over; a batch of which every call is answered is decided whole', async () => {
    await world.rule(exactly(), first);
    const other = { name: 'send_email', args: '{"to":"b@example.com","subject":"Report"}' };
    const mail = { name: 'send_email', args: MAIL };
    await never(await world.ask(mail, other));
    const both = await world.ask(mail, mail);
    await look();
    expect((await decisionOf(both))?.rules).toMatchObject([{ calls: [0, 1] }]);
  });

  test('what a person has begun to write on, or put off', async () => {
    await world.rule(exactly(), first, 'shadow');
    await changeDesk(world.store, first, (desk) => ({ ...desk, drafts: { '0': { reason: 'hm' } } }));
    const later = await world.ask();
    await changeDesk(world.store, later, (desk) => ({ ...desk, snoozedUntil: '2026-07-21T00:00:00Z' }));
    const [{ rule } = { rule: { id: '' } }] = (await world.list()).rules;
    await world.move(rule.id, 'live');
    await never(first);
    await never(later);
  });

  test('anything under an expired, paused, ended or used-up rule', async () => {
    const rule = await world.rule(exactly({ limit: 2, days: 1 }), first);
    await pauseRules(world.store, world.ports, true, 'Ada');
    await never(first);
    await pauseRules(world.store, world.ports, false, 'Ada');
    await look();
    expect(await decisionOf(first)).not.toBeNull();
    world.now = at('2026-07-21T10:00:00Z');
    expect((await world.list()).rules[0]?.standing).toBe('expired');
    await never(await world.ask());
    world.now = at('2026-07-20T11:00:00Z');
    const mail = { name: 'send_email', args: MAIL };
    await never(await world.ask(mail, mail));
    const last = await world.ask();
    await look();
    expect((await world.list()).rules[0]).toMatchObject({ standing: 'used_up', rule: { used: 2 } });
    const left = [];
    for (const key of [last, ...(await waiting())]) if ((await decisionOf(key)) === null) left.push(key);
    expect(left.length).toBeGreaterThan(0);
    expect(await countAnswers(world.store, world.ports, rule.id, 1)).toBe(false);
  });

  const waiting = async (): Promise<SuspensionKey[]> =>
    (await listRows(world.store, world.ports, () => null))
      .filter(({ status }) => status === 'waiting')
      .map(({ system, source, runId, seq }) => ({ system, source, runId, seq }));

  test('a run that is too old to be decided counts nothing against the limit, and makes no history', async () => {
    await world.rule(exactly({ limit: 2 }), first);
    world.now = at('2026-07-29T10:00:00Z');
    await never(first);
    expect((await world.list()).rules[0]?.rule.used).toBe(0);
    expect((await world.store.keysPage(EVIDENCE, null, 10)).heads).toEqual([]);
  });

  test('a clock that went back behind its making is no longer life', async () => {
    await world.rule(exactly(), first);
    world.now = at('2026-07-19T10:00:00Z');
    await never(first);
  });

  test('an edit, a result, a step, a repair: nobody may say so in a rule’s name', async () => {
    const { revision, record, head } = unwrap(await load(world.store, first));
    const [call] = record.pending ?? [];
    const binding = { revision, resumeStep: record.resumeStep, digest: head.digest };
    const rules = [{ id: 'x', name: 'x', calls: [0] }];
    const verdict = { index: 0, argumentsSha256: call?.argumentsSha256 ?? '', verdict: 'approve' as const };
    const said = { key: first, binding, reviewer: { name: 'Ada' }, rules, repair: false };
    const edited = { ...verdict, editedArguments: '{"to":"x","subject":"y"}' };
    expect(refusalOf(await decide(world.store, world.rulePorts, { ...said, verdicts: [edited] }))).toBe('not_allowed');
    unwrap(await world.decide(first, ['approve']));
    unwrap(await undo(world.store, world.ports, first, 'Ada'));
    expect(refusalOf(await decide(world.store, world.rulePorts, { ...said, verdicts: [verdict] }))).toBe(
      'already_decided',
    );
    const next = { ...said, key: await world.ask() };
    const again = unwrap(await load(world.store, next.key));
    next.binding = { revision: again.revision, resumeStep: again.record.resumeStep, digest: again.head.digest };
    const repaired = { ...next, verdicts: [verdict], repair: true };
    expect(refusalOf(await decide(world.store, world.rulePorts, repaired))).toBe('not_waiting');
  });
});

describe('a reject rule is never beaten', () => {
  test('both live: rejected, whichever was first', async () => {
    await world.rule(exactly(), first, 'shadow');
    const wide = { conditions: [{ pointer: '/to', test: 'prefix' as const, prefix: 'ops' }], others: true };
    await world.rule(exactly({ name: 'No mail', verdict: 'reject', ...wide }), first);
    const [{ rule } = { rule: { id: '' } }] = (await world.list()).rules;
    await world.move(rule.id, 'live');
    const next = await world.ask();
    await look();
    expect((await decisionOf(next))?.verdicts[0]?.verdict).toBe('reject');
    expect((await decisionOf(next))?.rules?.[0]?.name).toBe('No mail');
  });

  test('one that is only in shadow leaves the call to a person', async () => {
    await world.rule(exactly({ name: 'No mail', verdict: 'reject' }), first, 'shadow');
    await world.rule(exactly(), first);
    await look();
    expect(await decisionOf(first)).toBeNull();
  });
});

describe('the counter is durable and compare-and-set', () => {
  test('of many at once exactly as many count as the limit lets', async () => {
    const rule = await world.rule(exactly({ limit: 3 }), first, 'shadow');
    await world.move(rule.id, 'live');
    const tries = await Promise.all(
      Array.from({ length: 12 }, () => countAnswers(world.store, world.ports, rule.id, 1)),
    );
    const counted = tries.filter(Boolean).length;
    expect((await world.list()).rules[0]?.rule.used).toBe(counted);
    expect(await countAnswers(world.store, world.ports, rule.id, 4 - counted)).toBe(false);
    for (let i = 0; i < 5; i++) await countAnswers(world.store, world.ports, rule.id, 1);
    expect((await world.list()).rules[0]?.rule.used).toBe(3);
  });

  test('it is counted before the decision is written: a crash between loses an answer and gives none too many', async () => {
    await world.rule(exactly({ limit: 1 }), first);
    world.onPoint = (point) => {
      if (point === 'decide.before-write') throw new Error('killed');
    };
    await look();
    world.onPoint = () => undefined;
    expect(await decisionOf(first)).toBeNull();
    await look();
    expect(await decisionOf(first)).toBeNull();
    expect((await world.list()).rules[0]?.standing).toBe('used_up');
  });
});

describe('who may make a rule, and let it decide', () => {
  test('nothing is made, moved to live or resumed without a person’s answer to the system’s question', async () => {
    world.agrees = false;
    expect(unwrap(await world.acts['rules:add'](itemOf(first), 0, exactly()))).toBeNull();
    expect((await world.list()).rules).toEqual([]);
    world.agrees = true;
    const rule = await world.rule(exactly(), first, 'shadow');
    world.agrees = false;
    const [view] = (await world.list()).rules;
    expect(unwrap(await world.acts['rules:move'](rule.id, view?.revision ?? 0, 'live'))).toBeNull();
    expect((await world.list()).rules[0]?.standing).toBe('shadow');
    unwrap(await world.acts['rules:pause'](true));
    expect(unwrap(await world.acts['rules:pause'](false))).toEqual({ paused: true });
    expect((await world.list()).paused).toBe(true);
  });

  test('the question shows the whole rule, and marks what would not be seen', async () => {
    const conditions = [{ pointer: '/to', test: 'one_of' as const, values: ['"ops@example.com"', '"\u202eevil"'] }];
    await world.rule(exactly({ conditions, others: true }), first);
    expect(world.asked).toHaveLength(2);
    for (const { detail } of world.asked) {
      expect(detail).toContain('“send_email”');
      expect(detail).toContain('“ledger”');
      expect(detail).toContain('“/to” is one of “"ops@example.com"”, “"[U+202E]evil"”');
      expect(detail).toContain('other arguments may be there');
      expect(detail).toContain(
        'At most 100 calls, until 2026-08-19; in the name of “Ada”. It is called “Reports to ops”.',
      );
    }
  });

  test('nothing of it is cut in the question; one that is too long for that is refused', async () => {
    const long = `"${'a'.repeat(400)}z"`;
    const either = (more: string[]) => [
      { pointer: '/to', test: 'one_of' as const, values: ['"ops@example.com"', ...more] },
    ];
    await world.rule(exactly({ conditions: either([long]), others: true }), first, 'shadow');
    expect(world.asked.at(-1)?.detail).toContain(long);
    const many = exactly({
      conditions: either(Array.from({ length: 9 }, (_, i) => `"${i}${long.slice(1)}`)),
      others: true,
    });
    expect(refusalOf(await world.acts['rules:add'](itemOf(first), 0, many))).toBe('bad_request');
  });

  test('one that counts answers all the time is ended all the same, by who saw it before', async () => {
    const rule = await world.rule(exactly(), first);
    const seen = (await world.list()).rules[0]?.revision ?? 0;
    expect(await countAnswers(world.store, world.ports, rule.id, 1)).toBe(true);
    expect(unwrap(await world.acts['rules:move'](rule.id, seen, 'off'))).toMatchObject({ state: 'off', used: 1 });
  });

  test('pausing, and back to shadow, take no question; a rule that rejects is taken back only with one', async () => {
    const approves = await world.rule(exactly(), first);
    const rejects = await world.rule(exactly({ verdict: 'reject', name: 'No' }), first);
    const before = world.asked.length;
    await world.move(approves.id, 'shadow');
    unwrap(await world.acts['rules:pause'](true));
    expect(world.asked).toHaveLength(before);
    await world.move(rejects.id, 'shadow');
    expect(world.asked).toHaveLength(before + 1);
  });

  test('a rule that is over never comes back; what was seen is what is moved', async () => {
    const rule = await world.rule(exactly(), first, 'shadow');
    expect(refusalOf(await world.acts['rules:move'](rule.id, 99, 'live'))).toBe('changed_since_you_looked');
    await world.move(rule.id, 'off');
    const [view] = (await world.list()).rules;
    expect(refusalOf(await world.acts['rules:move'](rule.id, view?.revision ?? 0, 'live'))).toBe('not_allowed');
  });

  test('it must speak of the call that it is made from, by one known server, in somebody’s name', async () => {
    const other = exactly({ conditions: [{ pointer: '/to', test: 'equals', value: '"x"' }], others: true });
    expect(refusalOf(await world.acts['rules:add'](itemOf(first), 0, other))).toBe('bad_request');
    world.listed = [];
    expect(refusalOf(await world.acts['rules:add'](itemOf(first), 0, exactly()))).toBe('not_allowed');
    world.settings = { ...world.settings, reviewer: '' };
    expect(refusalOf(await world.acts['rules:add'](itemOf(first), 0, exactly()))).toBe('not_allowed');
    expect(world.asked).toEqual([]);
  });
});
