import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { klieo } from '../../electron/formats/klieo.js';
import { readRecord } from '../../electron/formats/read-record.js';
import { textDigest } from '../../electron/formats/text-digest.js';
import type { Decision, Verdict } from '../../shared/decision.js';
import { REPAIR_TEXT } from '../../shared/repair.js';
import { assertPaired, continuedTranscript, rejectionText, usableIds } from '../../shared/transcript.js';

const FIXTURES = new URL('../fixtures/', import.meta.url);
const fixture = (file: string): Uint8Array => readFileSync(new URL(`klieo/${file}`, FIXTURES));
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

function caseFile(id: string): Uint8Array {
  const folder = readdirSync(new URL('cases/', FIXTURES)).find((name) => name.startsWith(`${id}-`));
  return readFileSync(new URL(`cases/${folder}/checkpoint.json`, FIXTURES));
}

function recordOf(bytes: Uint8Array) {
  const read = readRecord(bytes);
  if (!read.ok) throw new Error(read.refusal.text);
  return read.record;
}

type Said = Partial<Verdict> & Pick<Verdict, 'verdict'>;

function decide(bytes: Uint8Array, said: Said[], more: Partial<Decision> = {}): Decision {
  const record = recordOf(bytes);
  const verdicts = said.map((verdict, index) => ({
    index,
    argumentsSha256: record.pending?.[index]?.argumentsSha256 ?? '',
    ...verdict,
  }));
  return {
    v: 1,
    decisionId: '01K0QZ6V5M3H8D7N2B4C9F1XGB',
    suspension: { system: 'klieo', source: 'inbox', runId: record.runId, seq: 1 },
    resumeStep: record.resumeStep,
    revision: 1,
    digest: '',
    verdicts,
    reviewer: { name: 'R' },
    decidedAt: '2026-07-20T10:00:00Z',
    notBefore: '2026-07-20T10:00:05Z',
    signatures: [],
    ...more,
  };
}

const handOver = (bytes: Uint8Array, said: Said[], more: Partial<Decision> = {}) =>
  klieo.handOver(bytes, recordOf(bytes), decide(bytes, said, more));

const approve: Said = { verdict: 'approve' };
const reject = (reason?: string): Said => ({ verdict: 'reject', ...(reason === undefined ? {} : { reason }) });
const edit = (editedArguments: string): Said => ({
  verdict: 'approve',
  editedArguments,
  editedSha256: textDigest(editedArguments),
});

describe('H13 one verdict for the whole batch', () => {
  const three = fixture('02-parallel-three-pending.json');

  test("all approved: klieo's own word, and the record byte for byte", () => {
    expect(handOver(three, [approve, approve, approve])).toEqual({
      systemDecision: '"Approved"',
      record: textOf(three),
      notes: [],
    });
  });

  test('all rejected with one reason', () => {
    expect(handOver(three, [reject('too "much"'), reject('too "much"'), reject('too "much"')])).toEqual({
      systemDecision: '{"Rejected":{"reason":"too \\"much\\""}}',
      record: textOf(three),
      notes: [],
    });
  });

  test('all rejected with several: each with its call', () => {
    expect(handOver(three, [reject('a'), reject('b'), reject()]).systemDecision).toBe(
      '{"Rejected":{"reason":"call 1 (issue_refund): a; call 2 (send_email): b; call 3 (search_kb): no reason was given"}}',
    );
  });

  test('a stop without calls', () => {
    const bytes = fixture('03-no-pending.json');
    expect(handOver(bytes, [], { step: { verdict: 'approve' } })).toEqual({
      systemDecision: '"Approved"',
      record: textOf(bytes),
      notes: [],
    });
    expect(handOver(bytes, [], { step: { verdict: 'reject', reason: 'no' } }).systemDecision).toBe(
      '{"Rejected":{"reason":"no"}}',
    );
  });

  test('a record that came in latched is handed over un-latched: klieo claims its own latch', () => {
    const bytes = fixture('04-latched.json');
    expect(handOver(bytes, [approve]).record).toBe(
      textOf(bytes).replace('"resume_attempted":true', '"resume_attempted":false'),
    );
  });
});

describe('H13 a mixed or edited batch is a record of the approved calls', () => {
  const three = fixture('02-parallel-three-pending.json');

  test('C32 the rejected call is left out and answered under its own id; the rest of the text stays', () => {
    const given = handOver(three, [approve, reject('not now'), approve]);
    expect(given.systemDecision).toBe('"Approved"');
    const record = recordOf(bytesOf(given.record));
    const before = recordOf(three);
    expect(record.pending?.map(({ id, name, arguments: args }) => ({ id, name, args }))).toEqual(
      [0, 2].map((at) => ({
        id: before.pending?.[at]?.id,
        name: before.pending?.[at]?.name,
        args: before.pending?.[at]?.arguments,
      })),
    );
    expect(record.messages.slice(0, -1)).toEqual(before.messages);
    expect(record.messages.at(-1)).toEqual({
      role: 'tool',
      content: rejectionText('not now'),
      toolCalls: [],
      toolCallId: 'call_email_2',
    });
    expect(given.notes).toEqual([
      'call 2 (send_email) was rejected and is left out; its answer stands in the conversation',
    ]);
  });

  test('what klieo makes of it is a conversation that a model takes', () => {
    const record = recordOf(bytesOf(handOver(three, [reject('x'), approve, reject('y')]).record));
    const pending = record.pending ?? [];
    const answers = pending.map(({ index }) => ({ index, text: 'done' }));
    const messages = continuedTranscript({
      runId: record.runId,
      messages: record.messages,
      pending,
      answers,
      repair: false,
    });
    expect(assertPaired(messages).ok).toBe(true);
    expect(record.warnings.filter(({ code }) => code.startsWith('transcript'))).toEqual([]);
  });

  test('edited arguments go in as typed, byte for byte; the conversation keeps the proposed ones', () => {
    const bytes = fixture('11-big-integer-args.json');
    const edited = '{ "tx":18446744073709551615, "account":9007199254740993,"amount":2.50 }';
    const given = handOver(bytes, [edit(edited)]);
    const record = recordOf(bytesOf(given.record));
    expect(record.pending?.[0]?.arguments).toBe(edited);
    // The history had no message with the calls (K3): it is put in, as proposed.
    expect(record.messages.at(-1)?.toolCalls).toEqual([
      { id: 'call_tx', name: 'post_transfer', arguments: recordOf(bytes).pending?.[0]?.arguments },
    ]);
    expect(given.notes[0]).toContain('call 1 (post_transfer) has the arguments that the reviewer edited');
  });

  test('unknown fields and number texts survive', () => {
    const bytes = bytesOf(
      textOf(three)
        .replace('{"run_id"', '{ "review":[1.0,2512292042121000001] ,\n"run_id"')
        .replace('"name":"send_email"', '"name":"send_email","x":1e2'),
    );
    const given = handOver(bytes, [reject('n'), approve, approve]);
    expect(given.record.startsWith('{ "review":[1.0,2512292042121000001] ,\n"run_id"')).toBe(true);
    expect(given.record.split('"x":1e2').length).toBe(textOf(bytes).split('"x":1e2').length);
  });

  test('H8 empty ids get unique ones, the same in the message that asks, the pending call and the answer', () => {
    const text = textOf(three)
      .replaceAll('"id":"call_refund_1"', '"id":""')
      .replaceAll('"id":"call_email_2"', '"id":""');
    const bytes = bytesOf(text);
    const before = recordOf(bytes);
    const ids = usableIds(before.runId, before.pending ?? []);
    const record = recordOf(bytesOf(handOver(bytes, [approve, reject('n'), approve]).record));
    const asked = record.messages.findLast((message) => message.toolCalls.length > 0);
    expect(asked?.toolCalls.map((call) => call.id)).toEqual(ids);
    expect(record.pending?.map((call) => call.id)).toEqual([ids[0], ids[2]]);
    expect(record.messages.at(-1)?.toolCallId).toBe(ids[1]);
  });

  test('H7 a call that has its answer is left out', () => {
    const text = textOf(three);
    const last = '"tool_call_id":null}],"pending_tool_calls"';
    const answered = text.replace(
      last,
      '"tool_call_id":null},{"role":"tool","content":"found","tool_calls":[],"tool_call_id":"call_search_3"}],"pending_tool_calls"',
    );
    expect(answered).not.toBe(text);
    const given = handOver(bytesOf(answered), [approve, approve]);
    expect(recordOf(bytesOf(given.record)).pending?.map((call) => call.id)).toEqual(['call_refund_1', 'call_email_2']);
    expect(given.notes).toEqual(['call 3 (search_kb) already has an answer in the conversation and is left out']);
  });

  test('C30 the repair that the reviewer agreed to stands behind message 1', () => {
    const bytes = caseFile('C30');
    const given = handOver(bytes, [approve], { repair: { unanswered: [{ message: 1, id: 'toolu_old' }] } });
    const record = recordOf(bytesOf(given.record));
    expect(record.messages[2]).toEqual({ role: 'tool', content: REPAIR_TEXT, toolCalls: [], toolCallId: 'toolu_old' });
    expect(record.pending?.map((call) => call.id)).toEqual(['toolu_new']);
    expect(record.warnings.map(({ code }) => code)).toEqual(['may_have_been_answered']);
    expect(given.notes).toEqual(['calls of the history without an answer got a synthetic one, as the reviewer agreed']);
  });

  test('an empty history', () => {
    const text = textOf(fixture('17-pending-empty-list.json'))
      .replace(/"messages":\[.*?\}\],/, '"messages":[ ],')
      .replace(
        '"pending_tool_calls":[]',
        '"pending_tool_calls":[{"id":"a","name":"x","args":{}},{"id":"b","name":"y","args":{}}]',
      );
    const record = recordOf(bytesOf(handOver(bytesOf(text), [approve, reject('n')]).record));
    expect(record.messages.map((message) => message.role)).toEqual(['assistant', 'tool']);
  });
});

describe('checkDecision', () => {
  const three = fixture('02-parallel-three-pending.json');
  const check = (said: Said[], wholeBatchOnly = false) =>
    klieo.checkDecision(recordOf(three), decide(three, said), { wholeBatchOnly });
  const args = recordOf(three).pending?.[0]?.arguments ?? '';

  test('H13 whole_batch_only is told while deciding: mixed or edited is refused, one verdict is not', () => {
    expect(check([approve, reject('n'), approve], true)).toMatchObject({
      ok: false,
      refusal: { code: 'whole_batch_only' },
    });
    expect(check([edit(args), approve, approve], true)).toMatchObject({
      ok: false,
      refusal: { code: 'whole_batch_only' },
    });
    expect(check([approve, approve, approve], true).ok).toBe(true);
    expect(check([reject(), reject(), reject()], true).ok).toBe(true);
    expect(check([edit(args), reject('n'), approve]).ok).toBe(true);
  });

  test('C18 the tool name cannot change; the message says which', () => {
    const bytes = caseFile('C18');
    const decision = decide(bytes, [Object.assign(edit('{"path":"/var/log/app.log"}'), { name: 'delete_file' })]);
    const outcome = klieo.checkDecision(recordOf(bytes), decision, { wholeBatchOnly: false });
    expect(outcome).toMatchObject({
      ok: false,
      refusal: { code: 'tool_name_changed', facts: { was: 'read_file', is: 'delete_file' } },
    });
    expect(!outcome.ok && outcome.refusal.text).toContain('call 1 (read_file) would become "delete_file"');
  });

  test.each<[string, Said, string]>([
    ['a call that is not there', { verdict: 'approve', index: 9 }, 'bad_request'],
    [
      'other arguments than those that were read',
      { verdict: 'approve', argumentsSha256: '0' },
      'changed_since_you_looked',
    ],
    ['an edit that is no JSON', edit('{'), 'invalid_edit'],
    ['an edit that is no object', edit('[1]'), 'invalid_edit'],
    ['an edit of a rejected call', { ...edit(args), verdict: 'reject' }, 'invalid_edit'],
  ])('%s', (_, said, code) => {
    expect(check([said])).toMatchObject({ ok: false, refusal: { code } });
  });
});
