import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import type { Continued } from '../../electron/formats/format.js';
import { readRecord } from '../../electron/formats/read-record.js';
import { outcomeOf } from '../../electron/formats/runifold/outcome.js';
import { compareAndSwap } from '../../electron/formats/runifold/revision.js';
import { runifold } from '../../electron/formats/runifold.js';
import type { Message, NormalRecord } from '../../shared/checkpoint.js';
import { rejectionText } from '../../shared/rejection.js';
import { REPAIR_TEXT } from '../../shared/repair.js';
import { assertPaired, continuedTranscript } from '../../shared/transcript.js';

// Hundreds of runs of one property, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 });

const FIXTURES = new URL('../fixtures/runifold/', import.meta.url);
const fixture = (file: string): Uint8Array => readFileSync(new URL(file, FIXTURES));
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const payloadOf = (bytes: Uint8Array) => JSON.parse(textOf(bytes)).payload;

const READY = fixture('03-ready-after-parallel-tools.json');
const AT = '2026-07-20T10:00:00.123456Z';

function recordOf(bytes: Uint8Array): NormalRecord {
  const read = readRecord(bytes);
  if (!read.ok) throw new Error(read.refusal.text);
  return read.record;
}

const said = (content: string, ...toolCalls: Message['toolCalls']): Message => ({
  role: 'assistant',
  content,
  toolCalls,
  toolCallId: null,
});
const answer = (toolCallId: string, content: string): Message => ({ role: 'tool', content, toolCalls: [], toolCallId });
const call = (id: string, name: string, written: string) => ({ id, name, arguments: written });

/** What is written when the run goes on with these messages. */
function goOn(bytes: Uint8Array, added: Message[], more: Partial<Continued> = {}): Uint8Array {
  const record = recordOf(bytes);
  const messages = [...record.messages, ...added];
  return runifold.writeContinued(bytes, { messages, pending: null, step: record.resumeStep, createdAt: AT, ...more });
}

describe('R3 an answer without calls completes the run', () => {
  const written = goOn(READY, [said('All done.')]);

  test('the next revision, one turn further, with the stored outcome', () => {
    expect(recordOf(written)).toMatchObject({
      state: 'finished',
      revision: '3',
      completedStep: 2,
      warnings: [],
      updatedAt: '2026-07-20T10:00:00.123Z',
      runId: recordOf(READY).runId,
      checkpointId: recordOf(READY).checkpointId,
    });
    const outcome = outcomeOf(written);
    if (outcome?.kind !== 'agent') throw new Error('no outcome');
    expect(outcome).toMatchObject({ answer: 'All done.', turns: 2, toolCalls: 2, delegations: 0 });
    expect(outcome.usage).toMatchObject({ turns: 2n, tool_calls: 2n, tokens: 612n });
  });

  test('the keys are those of runifold’s own completed checkpoint, in its order', () => {
    const keys = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.map(keys)
        : typeof value === 'object' && value !== null
          ? Object.entries(value).map(([key, inner]) => [key, keys(inner)])
          : typeof value;
    const ours = JSON.parse(textOf(written));
    const theirs = JSON.parse(textOf(fixture('05-completed.json')));
    // What the model used and which response it was is not known here, and the response says so.
    expect(ours.payload.phase.response.warnings[0].code).toBe('holdpoint.continued');
    ours.payload.phase.response.warnings = [];
    ours.payload.phase.response.id = '';
    expect(keys(ours)).toEqual(keys(theirs));
  });

  test('the written record can be swapped in over the one it came from, once', () => {
    const at = (bytes: Uint8Array) => ({
      id: recordOf(bytes).checkpointId ?? '',
      revision: BigInt(recordOf(bytes).revision ?? ''),
    });
    expect(compareAndSwap(at(READY), at(written), at(READY).revision).ok).toBe(true);
    expect(compareAndSwap(at(written), at(written), at(READY).revision).ok).toBe(false);
  });

  test('R7 an interrupted turn that a person had retried counts once', () => {
    const again = goOn(fixture('04-turn-2-in-flight.json'), [said('All done.')]);
    expect(recordOf(again)).toMatchObject({ state: 'finished', revision: '4', completedStep: 2 });
    expect({ ...JSON.parse(textOf(again)), revision: 3 }).toEqual(JSON.parse(textOf(written)));
  });

  test('an answer that the domain names counts as the response', () => {
    const named = goOn(READY, [said('x')], { completed: { answer: 'the answer' } });
    expect(outcomeOf(named)).toMatchObject({ answer: 'the answer' });
  });
});

describe('R3 answered calls make it ready for the next turn', () => {
  const added = [
    said('', call('call_3', 'lookup', '{"a":1}'), call('call_4', 'ledger', '{"b":2}')),
    answer('call_3', 'one'),
    answer('call_4', 'two'),
  ];
  const written = goOn(READY, added);

  test('turns and tool calls are counted, the transcript is runifold’s', () => {
    expect(recordOf(written)).toMatchObject({
      state: 'running',
      resumable: true,
      completedStep: 2,
      resumeStep: 3,
      warnings: [],
    });
    expect(payloadOf(written)).toMatchObject({
      phase: { state: 'ready_for_turn' },
      turns: 2,
      tool_calls: 4,
      delegations: 0,
    });
    expect(payloadOf(written).usage).toMatchObject({ turns: 2, tool_calls: 4, tokens: 612, cost_microusd: 840 });
    expect(recordOf(written).messages).toEqual([...recordOf(READY).messages, ...added]);
    expect(textOf(written)).toContain(
      '{"content":[{"arguments":{"a":1},"id":"call_3","metadata":{},"name":"lookup","raw_arguments":null,"type":"tool_call"},' +
        '{"arguments":{"b":2},"id":"call_4","metadata":{},"name":"ledger","raw_arguments":null,"type":"tool_call"}],"metadata":{},"role":"assistant"},' +
        '{"content":[{"call_id":"call_3","content":[{"text":"one","type":"text"}],"is_error":false,"metadata":{},"name":"lookup","type":"tool_result"}],"metadata":{},"role":"tool"}',
    );
  });

  test('a system prompt of the profile is not put into the transcript', () => {
    const system: Message = { role: 'system', content: 'profile', toolCalls: [], toolCallId: null };
    const legacy = fixture('07-legacy-without-newer-fields.json');
    const messages = [system, ...recordOf(legacy).messages, said('bye')];
    const next = runifold.writeContinued(legacy, { messages, pending: null, step: 2, createdAt: AT });
    expect(recordOf(next).messages).toEqual(messages.slice(1));
  });
});

describe('a turn that waits for a person', () => {
  const asking = said(
    'Refund now?',
    call('c1', 'issue_refund', '{"amount":1.50, "big":18446744073709551617}'),
    call('c2', 'note', '{}'),
  );
  const held = goOn(READY, [asking], {
    pending: asking.toolCalls.map((asked, index) => ({ index, ...asked })),
  });

  test('is read as waiting, its calls byte for byte', () => {
    const record = recordOf(held);
    expect(record).toMatchObject({ state: 'waiting', resumable: true, completedStep: 1, resumeStep: 2, revision: '3' });
    expect(record.classification).toBe('turn 2 is held for a person');
    expect(record.pending?.map(({ id, name, arguments: written }) => ({ id, name, arguments: written }))).toEqual(
      asking.toolCalls,
    );
    expect(record.messages).toEqual([...recordOf(READY).messages, asking]);
    expect(record.warnings.map(({ code }) => code)).toEqual(['integer_past_2_53']);
    expect(record.warnings[0]?.path).toBe('payload.holdpoint_pending[0].content[1].arguments.big');
  });

  test('R4 R7 runifold itself sees a turn in flight and a transcript without it', () => {
    const { holdpoint_pending: ours, ...theirs } = payloadOf(held);
    expect(ours).toHaveLength(1);
    expect(theirs).toEqual({ ...payloadOf(READY), phase: { state: 'turn_in_flight', turn: 2 } });
  });

  test('decided and continued it is exactly one turn further, and the key of ours is gone', () => {
    const record = recordOf(held);
    const messages = continuedTranscript({
      runId: record.runId,
      messages: record.messages,
      pending: record.pending ?? [],
      answers: [
        { index: 0, text: 'card declined' },
        { index: 1, text: rejectionText('not now') },
      ],
      repair: false,
    });
    expect(assertPaired(messages).ok).toBe(true);
    const next = runifold.writeContinued(held, {
      messages: [...messages, said('Sorry.')],
      pending: null,
      step: 2,
      createdAt: AT,
      ended: [
        { index: 0, how: 'failed' },
        { index: 1, how: 'rejected' },
      ],
    });
    expect(recordOf(next)).toMatchObject({
      state: 'finished',
      completedStep: 3,
      revision: '4',
      pending: null,
      warnings: [],
    });
    const { transcript, tool_calls, turns, holdpoint_pending } = payloadOf(next);
    // A rejected call was not attempted.
    expect([turns, tool_calls, holdpoint_pending]).toEqual([3, 3, undefined]);
    expect(transcript.at(-3).content[0]).toMatchObject({ call_id: 'c1', is_error: true, name: 'issue_refund' });
    expect(transcript.at(-2).content[0]).toMatchObject({ call_id: 'c2', is_error: true, name: 'note' });
    expect(textOf(next)).toContain('"raw_arguments":"{\\"amount\\":1.50, \\"big\\":18446744073709551617}"');
  });

  test('H8 ids that collide are replaced in call and answer, the text of the turn stays', () => {
    const twins = said('', call('', 't', '{"z":1.0,"a":2}'), call('', 't', '{}'));
    const bytes = goOn(READY, [twins]);
    const record = recordOf(bytes);
    const messages = continuedTranscript({
      runId: record.runId,
      messages: record.messages,
      pending: record.pending ?? [],
      answers: [0, 1].map((index) => ({ index, text: `r${index}` })),
      repair: false,
    });
    const next = runifold.writeContinued(bytes, { messages, pending: null, step: 2, createdAt: AT });
    expect(recordOf(next).messages).toEqual(messages);
    expect(new Set(messages.at(-3)?.toolCalls.map(({ id }) => id)).size).toBe(2);
  });
});

describe('I6 what stood in the record stays', () => {
  const before = textOf(READY)
    .replace('"metadata":{},"role":"system"', '"metadata":{"z":1.0,"a":2512292042121000001},"role":"system"')
    .replace(
      '{"text":"Refund ORD-4471","type":"text"}',
      '{"text":"Refund ORD-4471","type":"text"},{"provider_data":[],"redacted":true,"signature":"s","text":null,"type":"reasoning"}',
    )
    .replace('"usage":{"cost_microusd":840', '"unknown":[1e16,-0.0],"usage":{"cost_microusd":9007199254740993')
    .replace('"updated_at_ms":1784538846482}', '"updated_at_ms":1784538846482,"future":{"b":1,"a":1.50}}');

  test('number texts, metadata, rich parts and unknown keys, sorted where runifold sorts', () => {
    const text = textOf(goOn(bytesOf(before), [said('x')]));
    expect(text).toContain('"metadata":{"a":2512292042121000001,"z":1.0},"role":"system"');
    expect(text).toContain('{"provider_data":[],"redacted":true,"signature":"s","text":null,"type":"reasoning"}');
    expect(text).toContain('"unknown":[1e16,-0.0]');
    expect(text).toContain('"cost_microusd":9007199254740993');
    expect(text).toMatch(/,"future":\{"b":1,"a":1\.50\}\}$/);
    expect(Object.keys(payloadOf(bytesOf(text)))).toEqual(Object.keys(payloadOf(bytesOf(text))).toSorted());
  });

  test('C30 a synthetic answer is put in its place and is no tool call', () => {
    const open = textOf(READY).replace(/,\{"content":\[\{"call_id":"call_2".*?"role":"tool"\}/, '');
    const record = recordOf(bytesOf(open));
    const messages = continuedTranscript({
      runId: record.runId,
      messages: record.messages,
      pending: [],
      answers: [],
      repair: true,
    });
    const next = runifold.writeContinued(bytesOf(open), {
      messages: [...messages, said('ok')],
      pending: null,
      step: 2,
      createdAt: AT,
    });
    expect(payloadOf(next)).toMatchObject({ tool_calls: 2, turns: 2 });
    expect(payloadOf(next).transcript[4].content[0]).toMatchObject({
      call_id: 'call_2',
      is_error: true,
      content: [{ text: REPAIR_TEXT }],
    });
    expect(recordOf(next).warnings).toEqual([]);
  });

  test('several results in one message stay in one', () => {
    const joined = textOf(READY).replace(
      '}],"metadata":{},"role":"tool"},{"content":[{"call_id":"call_2"',
      '},{"call_id":"call_2"',
    );
    expect(payloadOf(goOn(bytesOf(joined), [said('x')])).transcript.slice(0, -1)).toEqual(
      payloadOf(bytesOf(joined)).transcript,
    );
  });
});

test('a message of the record that is gone, a workflow and the last revision are faults of the caller', () => {
  const workflow = fixture('wf-01-waiting-interrupt.json');
  const none: Continued = { messages: [], pending: null, step: 1, createdAt: AT };
  expect(() => runifold.writeContinued(READY, none)).toThrow(
    'message 0 of the record is not in the continued conversation',
  );
  expect(() => runifold.writeContinued(workflow, none)).toThrow('never here');
  expect(() => runifold.writeContinued(bytesOf('{}'), none)).toThrow('not a readable runifold record');
  const last = textOf(READY).replace('"revision":2', '"revision":18446744073709551615');
  expect(() => goOn(bytesOf(last), [said('x')])).toThrow('revision overflow');
});

test('what a model may write never makes a record that cannot be read, and comes back as written', () => {
  const odd = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.json(),
    fc.constantFrom(
      '',
      '1],[2',
      '{"a":1}}',
      '{"a":1,"a":2}',
      '['.repeat(126) + ']'.repeat(126),
      '1e400',
      '"\\ud83d"',
      '{"b":1.0,"a":1e2}',
    ),
  );
  fc.assert(
    fc.property(odd, odd, fc.boolean(), (content, written, answered) => {
      const asking = said(content, call('c', content, written));
      const next = goOn(READY, [asking, ...(answered ? [answer('c', content), said(content)] : [])]);
      const record = recordOf(next);
      expect(record.state).toBe(answered ? 'finished' : 'waiting');
      const read = record.messages[5]?.toolCalls[0]?.arguments ?? '';
      expect(read).toBe(written.replace(/\p{Cs}/gu, '\ufffd'));
    }),
    { numRuns: 500 },
  );
});
