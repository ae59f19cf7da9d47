import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { mayCreateRow } from '../../electron/formats/cyrene/next-row.js';
import { cyrene } from '../../electron/formats/cyrene.js';
import type { Continued } from '../../electron/formats/format.js';
import { readRecord } from '../../electron/formats/read-record.js';
import type { Message, NormalRecord } from '../../shared/checkpoint.js';
import type { Decision, Verdict } from '../../shared/decision.js';
import { assertPaired, continuedTranscript } from '../../shared/transcript.js';

// Hundreds of runs of one property, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 });

const FIXTURES = new URL('../fixtures/cyrene/', import.meta.url);
const fixture = (file: string): Uint8Array => readFileSync(new URL(file, FIXTURES));
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

const LOOP = fixture('01-interrupted-tool-loop.json');
const AT = '2026-07-20T10:00:00Z';

function recordOf(bytes: Uint8Array): NormalRecord {
  const read = readRecord(bytes);
  if (!read.ok) throw new Error(read.refusal.text);
  return read.record;
}

const stateOf = (bytes: Uint8Array): string => JSON.parse(textOf(bytes)).state;

const said = (content: string, ...toolCalls: Message['toolCalls']): Message => ({
  role: 'assistant',
  content,
  toolCalls,
  toolCallId: null,
});
const answer = (toolCallId: string, content: string): Message => ({ role: 'tool', content, toolCalls: [], toolCallId });

/** The row that is written when the session goes on with these messages. */
function goOn(bytes: Uint8Array, added: Message[], more: Partial<Continued> = {}): Uint8Array {
  const record = recordOf(bytes);
  const messages = [...record.messages, ...added];
  return cyrene.writeContinued(bytes, { messages, pending: null, step: record.resumeStep, createdAt: AT, ...more });
}

describe('C2 the row of the next step', () => {
  test('a final answer ends the session', () => {
    const next = goOn(LOOP, [said('a & b <done>\u2028\b\f"\\b')]);
    expect(JSON.parse(textOf(next))).toMatchObject({ id: 'sess-42:4', agent_id: 'sess-42', step: 4, updated_at: AT });
    expect(recordOf(next)).toMatchObject({ state: 'finished', completedStep: 4 });
    // As Go writes it, and what stood in the window byte for byte.
    const before = stateOf(LOOP);
    const window = before.slice(before.indexOf('"messages":['), before.indexOf('],"stop_reason"'));
    expect(stateOf(next)).toBe(
      `{"step":4,${window},{"role":"assistant","content":"a \\u0026 b \\u003cdone\\u003e\\u2028\\u0008\\u000c\\"\\\\b"}],"stop_reason":"stop"}`,
    );
  });

  test('answered calls: interrupted after that step, with the results in the window', () => {
    const added = [said('', { id: 'call_2', name: 'ledger', arguments: '{"n":1.0}' }), answer('call_2', 'ok')];
    const next = goOn(LOOP, added);
    expect(recordOf(next)).toMatchObject({ state: 'running', resumable: true, completedStep: 4, resumeStep: 5 });
    expect(recordOf(next).messages).toEqual([...recordOf(LOOP).messages, ...added]);
    expect(stateOf(next)).toContain(
      '{"role":"assistant","content":"","tool_calls":[{"id":"call_2","type":"function","function":{"name":"ledger","arguments":"{\\"n\\":1.0}"}}]},{"role":"tool","content":"ok","tool_call_id":"call_2"}',
    );
  });

  test('a session id with colons; the latest of several rows is the one that goes on', () => {
    expect(recordOf(goOn(fixture('12-session-id-with-colon.json'), [said('x')]))).toMatchObject({
      runId: 'telegram:chat:991',
      checkpointId: 'telegram:chat:991:3',
    });
    const next = goOn(fixture('14-two-rows-latest-by-updated-at.json'), [said('x')]);
    expect(recordOf(next)).toMatchObject({ checkpointId: 'sess-42:2', completedStep: 2 });
    expect(recordOf(next).about?.filter(({ name }) => name.startsWith('Step '))).toHaveLength(1);
  });

  test('I6 unknown columns and keys, number texts and odd spellings stay', () => {
    const state =
      '{"Step":3,"trace":{"z":1.0,"a":2512292042121000001},"messages":[{"role":"user","content":"a\\u0062","x":1e2}],"stop_reason":"tool_calls"}';
    const row = `{"id":"s:3","tenant":[7.50],"agent_id":"s","step":3,"updated_at":"2026-07-20T09:14:03Z","state":${JSON.stringify(state)}}`;
    const next = goOn(bytesOf(row), [said('x')]);
    expect(textOf(next)).toMatch(/"tenant":\[7\.50\]\}$/);
    expect(stateOf(next)).toBe(
      '{"step":4,"messages":[{"role":"user","content":"a\\u0062","x":1e2},{"role":"assistant","content":"x"}],"stop_reason":"stop","trace":{"z":1.0,"a":2512292042121000001}}',
    );
  });

  test('a system prompt of the profile is not put into the window', () => {
    const system: Message = { role: 'system', content: 'p', toolCalls: [], toolCallId: null };
    const messages = [system, ...recordOf(LOOP).messages, said('x')];
    const next = cyrene.writeContinued(LOOP, { messages, pending: null, step: 4, createdAt: AT });
    expect(recordOf(next).messages).toEqual(messages.slice(1));
  });

  test('an unreadable session is a fault of the caller', () => {
    expect(() =>
      cyrene.writeContinued(fixture('10-state-empty.json'), { messages: [], pending: null, step: 1, createdAt: AT }),
    ).toThrow('not a readable Cyrene session');
  });
});

describe('a step that waits for a person', () => {
  const asking = said(
    '',
    { id: '', name: 'pay', arguments: '{"n":9007199254740993}' },
    { id: '', name: 'pay', arguments: '{"n":1.0}' },
  );
  const held = goOn(LOOP, [asking], { pending: asking.toolCalls.map((call, index) => ({ index, ...call })) });

  test('is read as waiting', () => {
    const record = recordOf(held);
    expect(record).toMatchObject({ state: 'waiting', resumable: true, completedStep: 4, resumeStep: 5 });
    expect(record.pending?.map(({ name, arguments: written }) => [name, written])).toEqual([
      ['pay', '{"n":9007199254740993}'],
      ['pay', '{"n":1.0}'],
    ]);
    expect(record.messages).toEqual([...recordOf(LOOP).messages, asking]);
    expect(record.warnings.map(({ code, path }) => [code, path])).toContainEqual([
      'integer_past_2_53',
      'state.holdpoint_pending[0].tool_calls[0].function.arguments.n',
    ]);
    expect(record.classification).toBe('step 4 is held for a person');
  });

  test('Cyrene itself sees the window of the step before, and would ask its model again', () => {
    const { holdpoint_pending: ours, ...theirs } = JSON.parse(stateOf(held));
    expect(ours).toHaveLength(1);
    expect(theirs).toEqual({ ...JSON.parse(stateOf(LOOP)), step: 4 });
  });

  test('H8 decided and continued it is the next row, under unique ids in call and answer', () => {
    const record = recordOf(held);
    const messages = continuedTranscript({
      runId: record.runId,
      messages: record.messages,
      pending: record.pending ?? [],
      answers: [0, 1].map((index) => ({ index, text: `paid ${index}` })),
      repair: false,
    });
    expect(assertPaired(messages).ok).toBe(true);
    const next = cyrene.writeContinued(held, {
      messages: [...messages, said('Done.')],
      pending: null,
      step: 5,
      createdAt: AT,
    });
    expect(recordOf(next)).toMatchObject({ state: 'finished', checkpointId: 'sess-42:5', pending: null });
    expect(recordOf(next).messages).toEqual([...messages, said('Done.')]);
    expect(stateOf(next)).not.toContain('holdpoint_pending');
    // Cut short before the model answered: still a new row.
    const cut = cyrene.writeContinued(held, { messages, pending: null, step: 5, createdAt: AT });
    expect(recordOf(cut)).toMatchObject({ state: 'running', checkpointId: 'sess-42:5' });
  });

  test('a key of ours in a session that ended is nothing', () => {
    const ended = bytesOf(textOf(held).replace('\\"stop_reason\\":\\"tool_calls\\"', '\\"stop_reason\\":\\"stop\\"'));
    expect(recordOf(ended)).toMatchObject({ state: 'finished', pending: null });
  });
});

test('C11 ids that the window lacks are put in where the session goes on; the row it came from keeps what it has', () => {
  const calls = [{ function: { name: 'a', arguments: '{}' } }, { id: null, function: { name: 'b', arguments: '{}' } }];
  const messages = [
    { role: 'user', content: 'go' },
    { role: 'assistant', tool_calls: calls },
    { role: 'tool', content: '1' },
    { role: 'tool', content: '2' },
  ];
  const row = {
    id: 's:1',
    agent_id: 's',
    step: 1,
    updated_at: AT,
    state: JSON.stringify({ messages, stop_reason: 'tool_calls' }),
  };
  const bytes = bytesOf(JSON.stringify(row));
  const record = recordOf(bytes);
  const going = continuedTranscript({ runId: 's', messages: record.messages, pending: [], answers: [], repair: false });
  const next = cyrene.writeContinued(bytes, { messages: [...going, said('x')], pending: null, step: 2, createdAt: AT });
  expect(recordOf(next).messages).toEqual([...going, said('x')]);
  expect(recordOf(next).warnings.map(({ code }) => code)).toEqual(['not_resumable']);
});

describe('one row an id', () => {
  const next = goOn(LOOP, [said('x')]);

  test('a row that exists is named and not overwritten', () => {
    expect(mayCreateRow(next, ['sess-42:3'])).toEqual({ ok: true, value: 'sess-42:4' });
    expect(mayCreateRow(next, ['sess-42:3', 'sess-42:4'])).toMatchObject({
      ok: false,
      refusal: {
        code: 'already_claimed',
        text: expect.stringContaining('Row sess-42:4 exists already'),
        facts: { id: 'sess-42:4' },
      },
    });
  });
});

describe('C5 there is no decision', () => {
  function decisionOf(bytes: Uint8Array, more: Partial<Decision> = {}): Decision {
    const record = recordOf(bytes);
    const verdicts: Verdict[] = (record.pending ?? []).map(({ index, argumentsSha256 }) => ({
      index,
      argumentsSha256,
      verdict: 'approve',
    }));
    return {
      v: 1,
      decisionId: '01K0QZ6V5M3H8D7N2B4C9F1XGB',
      suspension: { system: 'cyrene', source: 'inbox', runId: record.runId, seq: 1 },
      resumeStep: record.resumeStep,
      revision: 1,
      digest: '',
      verdicts,
      reviewer: { name: 'R' },
      decidedAt: AT,
      notBefore: AT,
      signatures: [],
      ...more,
    };
  }
  const check = (bytes: Uint8Array, more: Partial<Decision> = {}, wholeBatchOnly = false) =>
    cyrene.checkDecision(recordOf(bytes), decisionOf(bytes, more), { wholeBatchOnly });

  test('a session that can go on may be told to; everything else is refused', () => {
    expect(check(LOOP, { step: { verdict: 'approve' } }).ok).toBe(true);
    expect(check(LOOP, { step: { verdict: 'reject' } })).toMatchObject({ refusal: { code: 'not_waiting' } });
    expect(check(LOOP)).toMatchObject({ refusal: { code: 'not_waiting' } });
    for (const file of ['04-completed.json', '06-budget-exhausted.json'])
      expect(check(fixture(file), { step: { verdict: 'approve' } })).toMatchObject({
        refusal: { code: 'not_waiting' },
      });
  });

  test('the calls of a held step have their verdicts', () => {
    const asking = said('', { id: 'c', name: 'pay', arguments: '{}' }, { id: 'd', name: 'pay', arguments: '{}' });
    const held = goOn(LOOP, [asking]);
    const [first, second] = decisionOf(held).verdicts;
    if (first === undefined || second === undefined) throw new Error('no verdicts');
    expect(check(held).ok).toBe(true);
    expect(check(held, { verdicts: [{ ...first, argumentsSha256: 'x' }, second] })).toMatchObject({
      refusal: { code: 'changed_since_you_looked' },
    });
    const mixed = { verdicts: [first, { ...second, verdict: 'reject' as const }] };
    expect(check(held, mixed).ok).toBe(true);
    expect(check(held, mixed, true)).toMatchObject({ refusal: { code: 'whole_batch_only' } });
    expect(cyrene.handOver(held, recordOf(held), decisionOf(held)).notes).toHaveLength(1);
  });

  test('H13 what is handed over is the row, byte for byte', () => {
    const given = cyrene.handOver(LOOP, recordOf(LOOP), decisionOf(LOOP));
    expect(given).toEqual({ systemDecision: null, record: textOf(LOOP), notes: [] });
    const two = fixture('14-two-rows-latest-by-updated-at.json');
    const row = cyrene.handOver(two, recordOf(two), decisionOf(two)).record;
    expect(JSON.parse(row).id).toBe('sess-42:1');
    expect(textOf(two)).toContain(row);
    const lines = `${JSON.stringify(JSON.parse(textOf(two))[0])}\n${JSON.stringify(JSON.parse(textOf(two))[1])}\n`;
    expect(cyrene.handOver(bytesOf(lines), recordOf(bytesOf(lines)), decisionOf(two)).record).toBe(
      lines.split('\n')[1],
    );
  });
});

test('what a model may write never makes a row that cannot be read, and comes back as written', () => {
  const odd = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.json(),
    fc.constantFrom('', '</script>&\u2028', '\\b\\f\b\f', '"\\ud83d"'),
  );
  const clean = (text: string): string => text.replace(/\p{Cs}/gu, '\ufffd');
  fc.assert(
    fc.property(odd, odd, fc.boolean(), (content, written, answered) => {
      const asking = said(content, { id: 'c', name: `t${written}`, arguments: written });
      const next = goOn(LOOP, [asking, ...(answered ? [answer('c', content), said(content)] : [])]);
      const record = recordOf(next);
      expect(record.state).toBe(answered ? 'finished' : 'waiting');
      expect(record.messages[3]).toEqual(
        said(clean(content), { id: 'c', name: clean(`t${written}`), arguments: clean(written) }),
      );
    }),
    { numRuns: 500 },
  );
});
