import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readRows } from '../../electron/formats/cyrene/rows.js';
import { sessionsOf } from '../../electron/formats/cyrene/session.js';
import { cyrene } from '../../electron/formats/cyrene.js';
import { readRecord } from '../../electron/formats/read-record.js';
import { assertPaired, continuedTranscript } from '../../shared/transcript.js';

const FIXTURES = new URL('../fixtures/', import.meta.url);
const fixture = (file: string): string => readFileSync(new URL(`cyrene/${file}`, FIXTURES), 'utf8');
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

interface Row {
  id?: string;
  agent_id?: string;
  step?: number;
  state?: unknown;
  updated_at?: unknown;
}

const USER = '{"role":"user","content":"go"}';
const state = (more = '', messages = USER): string => `{"step":2,"messages":[${messages}]${more}}`;
const row = (more: Row = {}): Row => ({
  id: 's:2',
  agent_id: 's',
  step: 2,
  state: state(),
  updated_at: '2026-07-20T09:14:03Z',
  ...more,
});
const at = (step: number, updated_at: string, more: Row = {}): Row =>
  row({ id: `s:${step}`, step, updated_at, ...more });

function recordOf(value: unknown) {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const read = readRecord(bytesOf(text));
  if (!read.ok) throw new Error(read.refusal.text);
  return read.record;
}

function refusalOf(value: unknown) {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const read = readRecord(bytesOf(text));
  if (read.ok) throw new Error('accepted');
  return { ...read.refusal, system: read.system };
}

const codes = (value: unknown): string[] => recordOf(value).warnings.map(({ code }) => code);

describe('C2 which row, and whether it goes on', () => {
  test.each(['', ',"stop_reason":""', ',"stop_reason":null', ',"stop_reason":"tool_calls"'])(
    'resumable: %s',
    (more) => {
      expect(recordOf(row({ state: state(more) }))).toMatchObject({ state: 'running', resumable: true, resumeStep: 3 });
    },
  );

  test.each([
    ['stop', 'a final answer'],
    ['budget_exhausted', 'its budget used up'],
    ['safety_net', 'a stop by its safety net'],
    ['guardrail', 'a guardrail that blocked it'],
    ['toString', 'stop reason "toString", which is not known here'],
    ['TOOL_CALLS', 'stop reason "TOOL_CALLS", which is not known here'],
    [' ', 'stop reason " ", which is not known here'],
  ])('not resumable: %s', (reason, words) => {
    const record = recordOf(row({ state: state(`,"stop_reason":${JSON.stringify(reason)}`) }));
    expect(record).toMatchObject({ state: 'finished', resumable: false, pending: null });
    expect(record.classification).toContain(`ended after step 2 with ${words}`);
    expect(record.about).toContainEqual({ name: 'Stop reason', value: reason });
    expect(record.warnings.map(({ code }) => code)).toEqual(['not_resumable']);
  });

  test('the step of the column counts, that in the JSON is ignored and told', () => {
    const record = recordOf(row({ state: state().replace('"step":2', '"step":9223372036854775807') }));
    expect(record).toMatchObject({ completedStep: 2, resumeStep: 3, resumable: true });
    expect(record.warnings).toContainEqual(expect.objectContaining({ code: 'step_differs', path: 'state.step' }));
    expect(codes(row({ state: `{"messages":[${USER}]}` }))).toEqual(['may_have_gone_on']);
  });

  test('the most recently updated row, not the one with the highest step; times compare as instants', () => {
    const rows = [
      at(9, '2026-07-20T09:00:00Z'),
      at(1, '2026-07-20T11:30:00+02:00'),
      at(4, '2026-07-20T09:29:59.999999999Z'),
    ];
    expect(recordOf(rows)).toMatchObject({ checkpointId: 's:1', completedStep: 1, updatedAt: '2026-07-20T09:30:00Z' });
    const [session] = sessionsOf(granted(rows));
    expect(session?.rows.map(({ step }) => step)).toEqual([9, 4, 1]);
  });

  test('equal times: nobody can say which one Cyrene would load, so it does not go on', () => {
    const rows = [at(2, '2026-07-20T09:00:00Z'), at(4, '2026-07-20T09:00:00.000Z')];
    expect(recordOf(rows)).toMatchObject({ resumable: false });
    expect(recordOf(rows).warnings).toContainEqual(
      expect.objectContaining({ code: 'latest_ambiguous', blocksApproval: true }),
    );
  });
});

function granted(rows: unknown) {
  const read = readRows(bytesOf(typeof rows === 'string' ? rows : JSON.stringify(rows)));
  if (!read.ok) throw new Error(read.refusal.text);
  return read.rows;
}

describe('C3 CF1 where Cyrene starts afresh, this stops and says why', () => {
  test('no row', () => {
    expect(cyrene.read(bytesOf('[]'))).toMatchObject({ ok: false, refusal: { code: 'no_row' } });
  });

  test.each([
    [row({ id: 's' }), 'id', 'is not that of step 2 of session "s"'],
    [row({ id: 's:3' }), 'id', 'is not that of step 2'],
    [row({ id: 't:2' }), 'id', 'is not that of step 2'],
    [row({ step: 2.5, id: 's:2' }), 'step', 'must be a whole number'],
    [row({ step: -1, id: 's:-1' }), 'step', 'must be a whole number'],
    [{ ...row(), agent_id: undefined }, 'agent_id', 'agent_id is missing'],
    [{ ...row(), updated_at: undefined }, 'updated_at', 'updated_at is missing'],
    [{ ...row(), state: undefined }, 'state', 'state is missing'],
    [row({ updated_at: '2026-07-20 09:14:03' }), 'updated_at', 'no time zone'],
    [row({ updated_at: 1784538843 }), 'updated_at', 'must be a text'],
    [row({ state: { step: 2 } }), 'state', 'must be a text'],
  ])('cannot load: %j', (value, column, words) => {
    const refusal = refusalOf(value);
    expect(refusal).toMatchObject({ system: 'cyrene', code: 'cannot_load', path: column });
    expect(refusal.text).toContain(`cannot load: `);
    expect(refusal.text).toContain(words);
  });

  test('cannot load: a repeated column, a repeated row, one bad row of several', () => {
    const text = JSON.stringify(row()).replace('"step":2', '"step":1,"step":2');
    expect(refusalOf(text)).toMatchObject({ code: 'cannot_load', text: expect.stringContaining('duplicate key step') });
    expect(refusalOf([row(), row()])).toMatchObject({ code: 'cannot_load', path: '[1].id' });
    expect(refusalOf([row(), row({ id: 's:3' })])).toMatchObject({ code: 'cannot_load', path: '[1].id' });
  });

  test.each([
    ['', 'the text is empty'],
    ['{}{}', 'stands after the end'],
    ['\ufeff{}', 'byte order mark'],
    ['[]', 'it must be an object, not a list'],
    ['7', 'it must be an object, not 7'],
    ['{"messages":{}}', 'messages must be a list or null, not an object'],
    ['{"messages":[null]}', 'messages[0] must be an object, not null'],
    ['{"messages":[{"role":null}]}', 'messages[0].role is missing'],
    ['{"messages":[{"role":"robot"}]}', 'must be one of system, user, assistant, tool, not "robot"'],
    ['{"messages":[{"role":"user","content":[1]}]}', 'messages[0].content must be a text, not a list'],
    ['{"messages":[{"role":"assistant","tool_calls":[{"id":"a"}]}]}', 'messages[0].tool_calls[0].function is missing'],
    ['{"messages":[{"role":"assistant","tool_calls":[{"function":{"name":""}}]}]}', 'must name a tool'],
    [
      '{"messages":[{"role":"assistant","tool_calls":[{"function":{"name":"t","arguments":{}}}]}]}',
      'must be a text, not an object',
    ],
    ['{"step":1.0}', 'step must be a whole number of 64 bits'],
    ['{"step":9223372036854775808}', 'step must be a whole number of 64 bits'],
    ['{"step":"1"}', 'step must be a whole number of 64 bits'],
    ['{"stop_reason":1}', 'stop_reason must be a text, not 1'],
    ['{"a":"\\ud800"}', 'lone surrogate'],
  ])('cannot decode: %s', (written, words) => {
    const refusal = refusalOf(row({ state: written }));
    expect(refusal).toMatchObject({ system: 'cyrene', code: 'cannot_decode' });
    expect(refusal.text).toContain('cannot decode: the state of step 2');
    expect(refusal.text).toContain(words);
    expect(refusal.path.startsWith('state')).toBe(true);
  });

  test('a column without bytes cannot be decoded either', () => {
    expect(refusalOf(row({ state: null })).code).toBe('cannot_decode');
  });

  test('the latest row is bad: no earlier one is taken in its place; an earlier one is bad: it is in the timeline', () => {
    const good = at(1, '2026-07-20T09:00:00Z');
    const bad = at(2, '2026-07-20T09:30:00Z', { state: '{' });
    expect(refusalOf([good, bad])).toMatchObject({ code: 'cannot_decode', path: '[1].state' });
    const record = recordOf([{ ...good, updated_at: '2026-07-20T10:00:00Z' }, bad]);
    expect(record.checkpointId).toBe('s:1');
    expect(record.about).toContainEqual({ name: 'Step 2', value: expect.stringContaining('cannot be decoded') });
  });

  test('CF2 an empty window and a state that is null are no conversation', () => {
    for (const messages of ['null', '[]']) {
      expect(refusalOf(row({ state: `{"step":2,"messages":${messages}}` })).code).toBe('no_conversation');
    }
    expect(recordOf(row({ state: '{"messages":null,"stop_reason":"stop"}' }))).toMatchObject({
      state: 'finished',
      messages: [],
    });
    expect(refusalOf(row({ state: 'null' })).code).toBe('cannot_decode');
  });
});

describe('C1 C5 CF3 CF4 CF5 what a row cannot say', () => {
  test('C5 there is never a pending call; a window that ends with one shows it', () => {
    const calls =
      '{"role":"assistant","content":"","tool_calls":[{"id":"c1","type":"function","function":{"name":"rm","arguments":"{}"}}]}';
    const record = recordOf(row({ state: state(',"stop_reason":"guardrail"', `${USER},${calls}`) }));
    expect(record).toMatchObject({ pending: null, resumable: false });
    expect(record.warnings).toContainEqual(
      expect.objectContaining({
        code: 'transcript_unanswered',
        path: 'state.messages[1]',
        text: expect.stringContaining('c1 (rm)'),
      }),
    );
  });

  test('CF3 stale higher steps are told, kept and not used', () => {
    expect(codes(fixture('14-two-rows-latest-by-updated-at.json'))).toContain('started_again');
    expect(codes([at(1, '2026-07-20T09:00:00Z'), at(2, '2026-07-20T09:30:00Z')])).toEqual(['may_have_gone_on']);
  });

  test('CF3 where the next row is there already the session does not go on', () => {
    const rows = [at(2, '2026-07-20T09:30:00Z'), at(3, '2026-07-20T09:00:00Z')];
    expect(recordOf(rows).resumable).toBe(false);
    expect(recordOf(rows).warnings).toContainEqual(
      expect.objectContaining({ code: 'next_row_exists', blocksApproval: true }),
    );
  });

  test('CF4 it may have gone on, and has no claim of its own', () => {
    expect(codes(row())).toEqual(['may_have_gone_on']);
    expect(recordOf(row()).about).toContainEqual({ name: 'Claim', value: 'none of its own' });
  });

  test('CF5 an answer at the end without a stop reason may be final', () => {
    const done = `${USER},{"role":"assistant","content":"Done."}`;
    expect(codes(row({ state: state('', done) }))).toContain('may_be_finished');
    expect(codes(row({ state: state(',"stop_reason":"tool_calls"', done) }))).not.toContain('may_be_finished');
    expect(codes(fixture('02-interrupted-empty-stop-reason.json'))).not.toContain('may_be_finished');
  });
});

describe('how Go reads the state', () => {
  test('keys in any letter case, null as nothing', () => {
    const written =
      '{"STEP":2,"Messages":[{"ROLE":"user","Content":null,"Tool_Calls":null,"tool_call_ID":null}],"ſtop_reaſon":"stop"}';
    const record = recordOf(row({ state: written }));
    expect(record.messages).toEqual([{ role: 'user', content: '', toolCalls: [], toolCallId: null }]);
    expect(record.state).toBe('finished');
  });

  test.each([
    [`{"messages":[${USER}],"stop_reason":"stop","stop_reason":"tool_calls"}`, 'stop_reason', 'state'],
    [`{"messages":[${USER}],"stop_reason":"stop","Stop_Reason":""}`, 'stop_reason', 'state'],
    ['{"messages":[{"role":"user","content":"a","Content":"b"}]}', 'content', 'state.messages[0]'],
    [
      '{"messages":[{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"a","NAME":"b"}}]}]}',
      'name',
      'state.messages[0].tool_calls[0].function',
    ],
  ])('I5 a field that stands twice is told and blocks; the last counts: %s', (written, field, path) => {
    const record = recordOf(row({ state: written }));
    expect(record.resumable).toBe(false);
    expect(record.warnings).toContainEqual(
      expect.objectContaining({
        code: 'duplicate_key',
        path,
        blocksApproval: true,
        text: expect.stringContaining(`duplicate key ${field} in ${path}`),
      }),
    );
  });

  test('the last of several counts, but null never does', () => {
    expect(recordOf(row({ state: `{"messages":[${USER}],"stop_reason":"stop","stop_reason":null}` })).state).toBe(
      'finished',
    );
    expect(
      recordOf(row({ state: '{"messages":[{"role":"user","content":"a","Content":"b"}]}' })).messages[0]?.content,
    ).toBe('b');
  });

  test('unknown keys, also repeated ones, are ignored', () => {
    expect(codes(row({ state: state(',"x":1,"X":2') }))).toEqual(['may_have_gone_on']);
  });

  test('HTML escapes are the letters', () => {
    expect(recordOf(fixture('01-interrupted-tool-loop.json')).messages[0]?.content).toBe('Compare <a> & <b>');
  });
});

describe('rows in one file', () => {
  const rows = [
    at(1, '2026-07-20T09:00:00Z'),
    at(2, '2026-07-20T09:30:00Z', { state: state(',"stop_reason":"tool_calls"') }),
  ];
  const lines = rows.map((one) => JSON.stringify(one)).join('\n');

  test.each([
    ['a list', JSON.stringify(rows)],
    ['lines', lines],
    ['lines with a last line break', `${lines}\n`],
    ['lines as Windows ends them, with blank ones', `\r\n${lines.replace('\n', '\r\n\r\n')}\r\n`],
  ])('%s are steps of one session', (_, text) => {
    expect(recordOf(text)).toMatchObject({ runId: 's', checkpointId: 's:2' });
    expect(granted(text).map(({ id }) => id)).toEqual(['s:1', 's:2']);
    expect(recordOf(text).about?.slice(-2)).toEqual([
      { name: 'Step 1', value: '2026-07-20T09:00:00Z: interrupted, 1 message' },
      { name: 'Step 2', value: '2026-07-20T09:30:00Z: interrupted, 1 message (latest)' },
    ]);
  });

  test('lines say so, and a place in them is a place in the file', () => {
    const read = readRecord(bytesOf(lines));
    expect(read.ok && read.rule).toContain('cyrene: lines, each a row');
    const broken = `${JSON.stringify(rows[0])}\n\n${JSON.stringify({ ...rows[1], step: 'é2' })}\n`;
    const refusal = refusalOf(broken);
    expect(refusal).toMatchObject({ system: 'cyrene', code: 'cannot_load', path: 'step', line: 3 });
    expect(refusal.text).toContain('line 3, column');
    const place = broken.split('\n').slice(0, 2).join('\n').length + 1 + (refusal.column ?? 0) - 1;
    expect(refusal.offset).toBe(place);
  });

  test('C57 a line that was cut off refuses the file: it may be the latest row', () => {
    expect(refusalOf(lines.slice(0, -5))).toMatchObject({ system: 'cyrene', code: 'cannot_load', line: 2 });
    expect(refusalOf(lines.replace('\n', '\n{"id":1}\n'))).toMatchObject({
      system: 'cyrene',
      code: 'cannot_load',
      line: 2,
    });
  });

  test('two sessions in one file are no record; their rows can be had one by one', () => {
    const two = [...rows, row({ id: 't:2', agent_id: 't' })];
    expect(refusalOf(two)).toMatchObject({ system: 'cyrene', code: 'several_sessions', path: '[2].agent_id' });
    expect(sessionsOf(granted(two)).map(({ sessionId, latest }) => [sessionId, latest.step])).toEqual([
      ['s', 2],
      ['t', 2],
    ]);
  });

  test('other JSON, and other lines, are not taken for rows', () => {
    for (const text of [
      '{}',
      '[{}]',
      '[1]',
      '{"a":1}\n{"b":2}',
      '{"id":"a:1","step":1}',
      '{"agent_id":"a","state":"x"}',
    ]) {
      expect(refusalOf(text).system).toBe('unknown');
    }
  });

  test('a long session shows its newest steps and counts the rest', () => {
    const many = Array.from({ length: 60 }, (_, step) =>
      at(step, `2026-07-20T09:${String(step).padStart(2, '0')}:00Z`),
    );
    const about = recordOf(many).about ?? [];
    expect(about).toContainEqual({ name: 'Earlier steps', value: '10' });
    expect(about.at(-1)?.name).toBe('Step 59');
  });
});

describe('cases', () => {
  test('C11 calls with an empty, an absent and a null id read, and get unique ids where the run goes on', () => {
    const [, assistant] = JSON.parse(
      readFileSync(new URL('cases/C11-empty-or-missing-id/checkpoint.json', FIXTURES), 'utf8'),
    ).messages;
    const calls = assistant.tool_calls.map(({ args, name, ...id }: { args: unknown; name: string }) => ({
      ...id,
      type: 'function',
      function: { name, arguments: JSON.stringify(args) },
    }));
    const asking = JSON.stringify({ role: 'assistant', content: '', tool_calls: calls });
    const record = recordOf(row({ state: state('', `${USER},${asking}`) }));
    expect(record.messages[1]?.toolCalls.map(({ id }) => id)).toEqual(['', null, null]);
    expect(record.warnings.find(({ code }) => code === 'empty_id')).toMatchObject({
      path: 'state.messages[1]',
      text: expect.stringContaining('1 (update_record), 2 (create_contact), 3 (web_search)'),
    });

    const answers = ['one', 'two', 'three'].map((content) => JSON.stringify({ role: 'tool', content })).join();
    const fused = recordOf(row({ state: state('', `${USER},${asking},${answers}`) }));
    expect(fused.warnings.map(({ code }) => code)).toEqual(['may_have_gone_on', 'empty_id']);
    const messages = continuedTranscript({
      runId: 's',
      messages: fused.messages,
      pending: [],
      answers: [],
      repair: false,
    });
    expect(assertPaired(messages).ok).toBe(true);
    expect(messages.slice(2).map(({ toolCallId }) => toolCallId)).toEqual(messages[1]?.toolCalls.map(({ id }) => id));
  });

  test('C42 C46 data stays data: odd keys in arguments are text, and no key of the state is an instruction', () => {
    const args =
      '{"then":"y","toJSON":"x","constructor":{"name":"Function"},"__type__":"app.Address","n":2512292042121000001}';
    const asking = JSON.stringify({
      role: 'assistant',
      tool_calls: [{ id: 'g', function: { name: 'update_record', arguments: args } }],
    }).replace('{"role"', '{"__proto__":{"role":"tool"},"constructor":1,"role"');
    const record = recordOf(
      row({
        state: state(
          ',"__proto__":{"stop_reason":"stop"}',
          `${USER},${asking},{"role":"tool","content":"","tool_call_id":"g"}`,
        ),
      }),
    );
    expect(record.messages[1]?.toolCalls[0]?.arguments).toBe(args);
    expect(record.state).toBe('running');
  });

  test('C49 a cut-off argument text in the history is told before anything goes on', () => {
    const messages = JSON.parse(
      readFileSync(new URL('cases/C49-truncated-args-poison-history/openai-messages.json', FIXTURES), 'utf8'),
    );
    const record = recordOf(row({ state: JSON.stringify({ step: 2, messages, stop_reason: 'tool_calls' }) }));
    expect(record.warnings.filter(({ code }) => code !== 'may_have_gone_on')).toEqual([
      expect.objectContaining({ code: 'transcript_unanswered', text: expect.stringContaining('tr2 (run_shell)') }),
      expect.objectContaining({
        code: 'history_arguments',
        path: 'state.messages[1]',
        text: expect.stringContaining('tr1 (run_shell)'),
      }),
    ]);
  });

  test('C49 many of them do not fill the list', () => {
    const asking = JSON.stringify({
      role: 'assistant',
      tool_calls: Array.from({ length: 30 }, (_, at) => ({ id: `c${at}`, function: { name: 't', arguments: '{' } })),
    });
    const answers = Array.from({ length: 30 }, (_, at) =>
      JSON.stringify({ role: 'tool', content: '', tool_call_id: `c${at}` }),
    );
    const found = recordOf(row({ state: state('', [USER, asking, ...answers].join()) })).warnings.filter(
      ({ code }) => code === 'history_arguments',
    );
    expect(found).toHaveLength(21);
    expect(found.at(-1)?.text).toBe('and 10 more calls with arguments that are no object');
  });
});
