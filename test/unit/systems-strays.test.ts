import { describe, expect, test } from 'vitest';
import { handOver } from '../../electron/checkpoints/handover.js';
import { historyOf } from '../../electron/checkpoints/history.js';
import { load } from '../../electron/checkpoints/records.js';
import { readRecord } from '../../electron/formats/read-record.js';
import { bytesOf, fixtureOf, SystemsWorld, textOf } from '../helpers/systems.js';
import { klieoRecord, refusalOf, unwrap } from '../helpers/world.js';

const stray = (id: string) => `{"role":"tool","content":"of ${id}","tool_calls":[],"tool_call_id":"${id}"}`;
const asked =
  '{"role":"assistant","content":"","tool_calls":[{"id":"a","name":"issue_refund","args":{"n":1}}],"tool_call_id":null}';
const USER = '{"role":"user","content":"go","tool_calls":[],"tool_call_id":null}';

/** A klieo record whose history was cut in front (K3): it begins with answers whose calls are gone. */
const cut = (messages: string) =>
  klieoRecord({ calls: [{ id: 'a', name: 'issue_refund', args: '{"n":1}' }], messages });
const CUT = cut([stray('old1'), stray('old2'), USER, stray('old3'), asked].join(','));

describe('I7 answers to nothing in a history', () => {
  test('approving needs a consent; it is recorded, they are left out, and the call fires once', async () => {
    const w = new SystemsWorld();
    const key = await w.put(CUT);
    const detail = await w.detail(key);
    expect(detail.strays?.map(({ message }) => message)).toEqual([0, 1, 3]);
    expect(detail.approveBlocked).toEqual([]);
    expect(detail.warnings.filter(({ code }) => code === 'transcript_stray_answer')).toHaveLength(3);
    const refused = await w.say(key, [{}]);
    expect(refusalOf(refused)).toBe('transcript_invalid');
    expect(refused.ok || refused.refusal.text).toContain('leave those messages out');
    expect(w.ledger).toEqual([]);
    const decision = unwrap(await w.say(key, [{}], { repair: true }));
    expect(decision.repair).toEqual({ unanswered: [], leftOut: [0, 1, 3] });
    unwrap(await w.resume(key));
    expect(w.ledger).toHaveLength(1);
    expect(w.requests[0]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
    expect((await historyOf(w.store, key)).find(({ kind }) => kind === 'decided')?.text).toContain(
      '3 answers to nothing are left out',
    );
  });

  test('a whole rejection is always possible, and goes on', async () => {
    const w = new SystemsWorld();
    const key = await w.put(CUT);
    unwrap(await w.say(key, [{ verdict: 'reject', reason: 'no' }]));
    unwrap(await w.resume(key));
    expect((await w.row(key)).status).toBe('finished');
    expect(w.ledger).toEqual([]);
  });

  test('H7 one under the id of the pending call itself may be its own answer: nothing is approved', async () => {
    const w = new SystemsWorld();
    const key = await w.put(cut([stray('a'), USER].join(',')));
    expect(refusalOf(await w.say(key, [{}], { repair: true }))).toBe('blocked_by_warning');
    expect((await w.detail(key)).approveBlocked).not.toEqual([]);
    unwrap(await w.say(key, [{ verdict: 'reject', reason: 'no' }]));
  });

  test.each([
    ['in front', [stray('o1'), stray('o2'), USER, asked]],
    ['behind', [USER, stray('o1'), stray('o2'), asked]],
    ['in a turn', [USER, asked.replaceAll('"a"', '"b"'), stray('b'), stray('b'), stray('c'), asked]],
  ])('klieo handed over (%s): the record to resume from has none of them, and says so', async (_where, messages) => {
    const w = new SystemsWorld();
    const key = await w.put(cut(messages.join(',')), { route: 'handed_over' });
    unwrap(await w.say(key, [{}], { repair: true }));
    const answer = unwrap(await handOver(w.store, w.ports, key, 'token'));
    const read = readRecord(bytesOf(answer.record));
    expect(read).toMatchObject({ ok: true, record: { state: 'waiting' } });
    const codes = read.ok ? read.record.warnings.map(({ code }) => code) : [];
    expect(codes.filter((code) => code.startsWith('transcript'))).toEqual([]);
    expect(answer.notes).toEqual(['answers of the history to no call are left out, as the reviewer agreed']);
  });

  test.each([
    ['runifold', '03-ready-after-parallel-tools.json', '"call_id":"call_2"', '"call_id":"call_9"'],
    ['cyrene', '03-parallel-tools-fused.json', '\\"tool_call_id\\":\\"call_2\\"', '\\"tool_call_id\\":\\"call_9\\"'],
  ])('%s continued here: the next record keeps every other message as it stood', async (system, file, was, is) => {
    const text = textOf(fixtureOf(system, file));
    expect(text).toContain(was);
    const w = new SystemsWorld();
    const key = await w.put(bytesOf(text.replace(was, is)));
    expect((await w.detail(key)).strays).toHaveLength(1);
    expect(refusalOf(await w.say(key, [], { step: 'approve' }))).toBe('transcript_invalid');
    unwrap(await w.say(key, [], { step: 'approve', repair: true }));
    unwrap(await w.resume(key));
    expect((await w.row(key)).status).toBe('finished');
    const next = unwrap(await load(w.store, { ...key, seq: 2 }));
    expect(next.record.state).toBe('finished');
    expect(textOf(next.bytes)).not.toContain('call_9');
    expect(next.record.warnings.map(({ code }) => code).filter((code) => code.startsWith('transcript'))).toEqual([]);
  });
});
