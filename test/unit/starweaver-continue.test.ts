import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Continued } from '../../electron/formats/format.js';
import { rejectionReason } from '../../electron/formats/starweaver/rejection-reason.js';
import { deferredReturn, deniedReturn } from '../../electron/formats/starweaver/returns.js';
import { starweaver } from '../../electron/formats/starweaver.js';
import type { Message, ToolCall } from '../../shared/checkpoint.js';
import { assertPaired, continuedTranscript, rejectionText } from '../../shared/transcript.js';
import {
  BARE,
  bytesOf,
  CALL_A,
  CALL_B,
  CALL_C,
  CALL_D,
  changed,
  DEFERRED,
  fixture,
  MEDIA,
  ONE,
  RUN,
  recordOf,
  TWO,
  textOf,
} from '../helpers/starweaver.js';

const NEW_RUN = 'run_11111111-1111-4111-8111-111111111111';
const NEW_ID = 'ckpt_22222222-2222-4222-8222-222222222222';
const AT = '2026-07-20T10:00:00.500Z';
const asked: ToolCall = { id: 'n1', name: 'deploy', arguments: '{"n":1.0, "m":9007199254740993}' };
const assistant = (toolCalls: ToolCall[], content = ''): Message => ({
  role: 'assistant',
  content,
  toolCalls,
  toolCallId: null,
});

/** The conversation as it goes on here: the record's own, its answers, and what the model said next. */
function goneOn(bytes: Uint8Array, answers: readonly string[], next: readonly Message[]): Message[] {
  const { runId, messages, pending } = recordOf(bytes);
  const answered = continuedTranscript({
    runId,
    messages,
    pending: pending ?? [],
    answers: answers.map((text, index) => ({ index, text })),
    repair: false,
  });
  expect(assertPaired(answered).ok).toBe(true);
  return [...answered, ...next];
}

function write(bytes: Uint8Array, more: Partial<Continued> & Pick<Continued, 'messages'>): Uint8Array {
  return starweaver.writeContinued(bytes, {
    pending: null,
    step: recordOf(bytes).resumeStep,
    createdAt: AT,
    newRunId: NEW_RUN,
    newCheckpointId: NEW_ID,
    ...more,
  });
}

const waitingAgain = (bytes: Uint8Array, answers: readonly string[], more: Partial<Continued> = {}) =>
  write(bytes, {
    messages: goneOn(bytes, answers, [assistant([asked], 'Now I deploy.')]),
    pending: [{ index: 0, ...asked }],
    ...more,
  });
const payloadOf = (bytes: Uint8Array) => JSON.parse(textOf(bytes)).payload;

describe('S15 S19 the continued record', () => {
  const source = fixture(ONE);
  const written = waitingAgain(source, ['done']);
  const before = recordOf(source);
  const after = recordOf(written);

  test('is exactly one step further, under a new run id and with a fresh checkpoint id', () => {
    expect(after).toMatchObject({
      runId: NEW_RUN,
      checkpointId: NEW_ID,
      threadId: before.threadId,
      completedStep: (before.completedStep ?? 0) + 1,
      resumeStep: before.resumeStep + 1,
      state: 'waiting',
      resumable: true,
      classification: 'waiting for one approval',
    });
    expect(after.pending).toMatchObject([{ index: 0, ...asked }]);
    expect(after.warnings.map(({ code }) => code)).toEqual(['integer_past_2_53']);
    expect(after.messages).toEqual(goneOn(source, ['done'], [assistant([asked], 'Now I deploy.')]));
  });

  test('S3 is v1, compact, its keys in declared order; a bare record becomes v1 too', () => {
    const text = textOf(written);
    expect(
      text.startsWith(`{"schema":"starweaver.runtime.checkpoint","version":1,"payload":{"checkpoint_id":"${NEW_ID}"`),
    ).toBe(true);
    expect(Object.keys(payloadOf(written))).toEqual(Object.keys(payloadOf(source)));
    expect(Object.keys(payloadOf(written).resume)).toEqual(Object.keys(payloadOf(source).resume));
    expect(Object.keys(payloadOf(written).state)).toEqual(Object.keys(payloadOf(source).state));
    const [response, original] = [written, source].map((bytes) => payloadOf(bytes).state.latest_response);
    expect(Object.keys(original)).toEqual(expect.arrayContaining(Object.keys(response)));
    const [approval, shape] = [written, source].map((bytes) => payloadOf(bytes).state.pending_approval_tool_returns[0]);
    expect(Object.keys(approval)).toEqual(Object.keys(shape));
    expect(Object.keys(approval.content)).toEqual(Object.keys(shape.content));
    expect(Object.keys(shape.metadata)).toEqual(expect.arrayContaining(Object.keys(approval.metadata)));
    const keys = Object.keys(approval.metadata);
    expect(keys).toEqual([...keys].sort());
    expect(recordOf(waitingAgain(fixture(BARE), ['done'])).about).toContainEqual({
      name: 'envelope',
      value: 'starweaver.runtime.checkpoint v1',
    });
  });

  test('the evidence is built from the state', () => {
    const { resume, state, run_step, node } = payloadOf(written);
    expect([node, run_step]).toEqual(['tool_return', 2]);
    expect(resume.cursor).toEqual({
      model_request_attempt: 2,
      tool_call_batch_id: 'tool_batch_2',
      output_validation_attempt: 0,
      stream_cursor: 17,
      message_cursor: 4,
    });
    expect(resume).toMatchObject({
      node: 'tool_return',
      status: 'waiting',
      run_step: 2,
      pending_approval_count: 1,
      deferred_tool_count: 0,
    });
    expect(state.message_history).toHaveLength(4);
    expect(state.pending_tool_calls).toHaveLength(1);
    expect(resume.context_revision).toBeUndefined();
    expect(resume.environment_ref).toBeUndefined();
  });

  test('output_validation_attempt begins at 0, and there is no stream cursor where there was none', () => {
    const bytes = changed(MEDIA, { 'payload/resume/cursor/output_validation_attempt': 3 });
    expect(payloadOf(waitingAgain(bytes, ['done'])).resume.cursor).toEqual({
      model_request_attempt: 2,
      tool_call_batch_id: 'tool_batch_2',
      output_validation_attempt: 0,
      message_cursor: 4,
    });
  });

  test('context revision and environment reference stand there only where they are text in the state’s metadata', () => {
    const texts = changed(ONE, {
      'payload/state/metadata': { context_revision: 'r7', environment_ref: 'env:1' },
      'payload/resume/context_revision': 'old',
    });
    expect(payloadOf(waitingAgain(texts, ['done'])).resume).toMatchObject({
      context_revision: 'r7',
      environment_ref: 'env:1',
    });
    const others = changed(ONE, {
      'payload/state/metadata': { context_revision: 7, environment_ref: null },
      'payload/resume/context_revision': 'old',
    });
    const { resume } = payloadOf(waitingAgain(others, ['done']));
    expect([resume.context_revision, resume.environment_ref]).toEqual([undefined, undefined]);
  });

  test('stream cursor, trace context, usage, parents and all metadata are carried over', () => {
    const bytes = changed(ONE, {
      'payload/state/metadata': { m: 1 },
      'payload/resume/metadata': { r: 2 },
      'payload/state/parent_run_id': 'run_p',
      'payload/state/parent_task_id': 'task_p',
      'payload/state/idle_messages': ['later'],
    });
    const [from, to] = [payloadOf(bytes), payloadOf(waitingAgain(bytes, ['done']))];
    expect(to.metadata).toEqual(from.metadata);
    expect(to.state.metadata).toEqual({ m: 1 });
    expect(to.resume.metadata).toEqual({ r: 2 });
    expect(to.resume.trace_context).toEqual(from.resume.trace_context);
    expect(to.resume.cursor.stream_cursor).toBe(17);
    expect([to.state.usage, to.resume.usage]).toEqual([from.state.usage, from.state.usage]);
    expect(to.state).toMatchObject({ parent_run_id: 'run_p', parent_task_id: 'task_p', idle_messages: ['later'] });
  });

  test('I6 numbers, sorted keys and unknown fields survive, in every object that goes on', () => {
    const odd = '"zz":{"b":9007199254740993,"a":1.0}';
    const text = textOf(source)
      .replace('"version":1,', `"version":1,${odd},`)
      .replace('"payload":{', `"payload":{${odd},`)
      .replace('"resume":{', `"resume":{${odd},`)
      .replace('"cursor":{', `"cursor":{${odd},`)
      .replace('"state":{', `"state":{${odd},`)
      .replace('"message_history":[{', `"message_history":[{${odd},`)
      .replace('"metadata":{"span_id"', `"metadata":{"big":18446744073709551615,"span_id"`)
      .replaceAll('"total_tokens":450', '"total_tokens":18446744073709551615');
    const next = textOf(waitingAgain(bytesOf(text), ['done']));
    expect(next.split(odd)).toHaveLength(7);
    expect(next).toContain('"big":18446744073709551615');
    expect(next).toContain('"total_tokens":18446744073709551615');
    expect(recordOf(bytesOf(next)).pending).toHaveLength(1);
  });

  test('the history that came stays byte for byte: pictures, thinking, usage', () => {
    for (const file of [ONE, TWO, MEDIA]) {
      const bytes = fixture(file);
      const answers = file === TWO ? ['a', 'b'] : ['a'];
      const own = JSON.stringify(payloadOf(bytes).state.message_history).slice(1, -1);
      expect(textOf(bytes)).toContain(own);
      expect(textOf(waitingAgain(bytes, answers))).toContain(`"message_history":[${own},{"kind":"request"`);
    }
  });

  test('new messages say where they belong; answers side by side make one request', () => {
    const history = payloadOf(waitingAgain(fixture(TWO), ['out a', '{"b":1}'])).state.message_history;
    expect(history).toHaveLength(5);
    const stamp = { timestamp: AT, run_id: NEW_RUN, conversation_id: recordOf(fixture(TWO)).threadId };
    const approved = { approval_state: 'approved', hitl_state: 'resolved' };
    expect(history[3]).toEqual({
      kind: 'request',
      parts: [
        {
          kind: 'tool_return',
          tool_call_id: CALL_A,
          name: 'shell_exec',
          content: 'out a',
          is_error: false,
          metadata: approved,
        },
        {
          kind: 'tool_return',
          tool_call_id: CALL_B,
          name: 'deploy',
          content: '{"b":1}',
          is_error: false,
          metadata: approved,
        },
      ],
      ...stamp,
    });
    expect(history[4]).toMatchObject({
      kind: 'response',
      finish_reason: 'tool_calls',
      usage: { requests: 0 },
      ...stamp,
    });
    expect(history[4].parts).toEqual([
      { kind: 'text', text: 'Now I deploy.' },
      { kind: 'tool_call', id: 'n1', name: 'deploy', arguments: JSON.parse(asked.arguments) },
    ]);
    const { kind: _, ...latest } = history[4];
    expect(payloadOf(waitingAgain(fixture(TWO), ['out a', '{"b":1}'])).state.latest_response).toEqual(latest);
  });

  test('a prompt that was put in front, and steps that ran here, are written too', () => {
    const system: Message = { role: 'system', content: 'Be brief.', toolCalls: [], toolCallId: null };
    const ran = { id: 'r1', name: 'read_file', arguments: '{}' };
    const messages = [
      system,
      ...goneOn(
        source,
        ['done'],
        [assistant([ran]), { role: 'tool', content: '# app', toolCalls: [], toolCallId: 'r1' }, assistant([asked])],
      ),
    ];
    const next = write(source, { messages, pending: [{ index: 0, ...asked }], step: 3 });
    expect(recordOf(next).messages).toEqual(messages);
    const history = payloadOf(next).state.message_history;
    expect(history[0].parts).toEqual([{ kind: 'system_prompt', text: 'Be brief.' }]);
    expect(history[5].parts).toEqual([
      { kind: 'tool_return', tool_call_id: 'r1', name: 'read_file', content: '# app', is_error: false },
    ]);
    expect(recordOf(next).completedStep).toBe(3);
  });

  test('answers that had not reached the history are in it now', () => {
    const bytes = changed(TWO, {
      'payload/state/message_history/2': undefined,
      'payload/resume/cursor/message_cursor': 2,
      'payload/state/pending_tool_returns': [
        { tool_call_id: CALL_C, name: 'read_file', content: { text: '# app' }, metadata: { duration_ms: 3 }, extra: 1 },
      ],
    });
    const { state } = payloadOf(waitingAgain(bytes, ['a', 'b']));
    expect(state.pending_tool_returns).toBeUndefined();
    expect(state.message_history[2].parts[0]).toEqual({
      kind: 'tool_return',
      tool_call_id: CALL_C,
      name: 'read_file',
      content: { text: '# app' },
      metadata: { duration_ms: 3 },
      extra: 1,
    });
  });
});

describe('how it stands', () => {
  const source = fixture(ONE);

  test('completed: the answer is the output, nothing pends, no batch id', () => {
    const next = write(source, {
      messages: goneOn(source, ['done'], [assistant([], 'All clean.')]),
      completed: { answer: 'All clean.' },
    });
    expect(recordOf(next)).toMatchObject({
      state: 'finished',
      pending: [],
      classification: 'finished; nothing to decide',
    });
    const { node, state, resume } = payloadOf(next);
    expect([node, state.status, state.output]).toEqual(['run_complete', 'completed', 'All clean.']);
    expect(resume.cursor.tool_call_batch_id).toBeUndefined();
    expect(state.message_history.at(-1).finish_reason).toBe('stop');
  });

  test('cut short: the answers are in the history, and the next thing is to ask the model', () => {
    const next = write(source, { messages: goneOn(source, ['done'], []) });
    expect(recordOf(next)).toMatchObject({ state: 'running', pending: [] });
    expect(payloadOf(next).node).toBe('prepare_model_request');
    expect(payloadOf(next).state.latest_response.parts).toHaveLength(2);
  });

  test('the output of an earlier end does not go on', () => {
    const bytes = changed(ONE, { 'payload/state/output': 'old', 'payload/state/structured_output': { a: 1 } });
    const { state } = payloadOf(waitingAgain(bytes, ['done']));
    expect([state.output, state.structured_output]).toEqual([undefined, undefined]);
  });
});

describe('S15 S19 ids that nobody gave', () => {
  const messages = goneOn(fixture(ONE), ['done'], [assistant([asked])]);
  const derived = (more: Partial<Continued>, bytes = fixture(ONE)) =>
    recordOf(
      starweaver.writeContinued(bytes, {
        messages,
        pending: [{ index: 0, ...asked }],
        step: 2,
        createdAt: AT,
        ...more,
      }),
    );

  test('the run id is the same however often the record is continued, and never the source’s', () => {
    expect(derived({}).runId).toMatch(/^run_[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(derived({}).runId).not.toBe(RUN);
    expect(derived({ createdAt: '2026-07-20T11:00:00Z', step: 3 }).runId).toBe(derived({}).runId);
    expect(derived({}, bytesOf(`${textOf(fixture(ONE))} `)).runId).not.toBe(derived({}).runId);
  });

  test('the checkpoint id is that of its content', () => {
    expect(derived({}).checkpointId).toBe(derived({}).checkpointId);
    expect(derived({ createdAt: '2026-07-20T11:00:00Z' }).checkpointId).not.toBe(derived({}).checkpointId);
    expect(derived({}).checkpointId).toMatch(/^ckpt_/);
  });
});

describe('S14 answers', () => {
  const returns = (bytes: Uint8Array, answers: readonly string[], more: Partial<Continued> = {}) =>
    payloadOf(waitingAgain(bytes, answers, more)).state.message_history.at(-2).parts;

  test('a denial: an error with kind, reason, call and tool; told from the answer’s text', () => {
    const [denied, plain] = returns(fixture(TWO), [rejectionText('not on a shared box\nno'), 'ran']);
    expect(denied).toEqual({
      kind: 'tool_return',
      tool_call_id: CALL_A,
      name: 'shell_exec',
      content: {
        kind: 'approval_denied',
        message: 'not on a shared box\nno',
        tool_call_id: CALL_A,
        tool_name: 'shell_exec',
      },
      is_error: true,
      metadata: { approval_state: 'denied', hitl_state: 'resolved' },
    });
    expect(plain).toMatchObject({ content: 'ran', is_error: false, metadata: { approval_state: 'approved' } });
  });

  test('what is known of an end counts more than its text', () => {
    const [failed, said] = returns(fixture(TWO), ['exit 1', rejectionText('a tool may say this too')], {
      ended: [
        { index: 0, how: 'failed' },
        { index: 1, how: 'done' },
      ],
    });
    expect(failed).toMatchObject({ content: 'exit 1', is_error: true, metadata: { approval_state: 'approved' } });
    expect(said).toMatchObject({ content: rejectionText('a tool may say this too'), is_error: false });
    const [denied] = returns(fixture(ONE), ['x'], { ended: [{ index: 0, how: 'rejected', reason: 'r', by: 'ana' }] });
    expect(denied).toMatchObject({ content: { message: 'r' }, metadata: { decided_by: 'ana' } });
  });

  test('without a reason there is a default one', () => {
    const message = (parts: { content: { message: string } }[]) => parts[0]?.content.message;
    expect(message(returns(fixture(ONE), ['x'], { ended: [{ index: 0, how: 'rejected', reason: ' ' }] }))).toBe(
      'A person denied this call and gave no reason.',
    );
    expect(JSON.parse(deniedReturn({ callId: 'c', name: 'x' }, { metadata: '{"a":1.0}' })).metadata).toEqual({
      approval_metadata: { a: 1 },
      approval_state: 'denied',
      hitl_state: 'resolved',
    });
  });

  test.each([
    ['done', { content: '3 hits', is_error: false }, 'completed'],
    [
      'failed',
      { content: { kind: 'deferred_failed', response: '3 hits', status: 'failed' }, is_error: true },
      'failed',
    ],
    [
      'rejected',
      { content: { kind: 'deferred_cancelled', response: null, status: 'cancelled' }, is_error: true },
      'cancelled',
    ],
  ] as const)('a deferred call that is %s', (how, shape, status) => {
    const [, answer] = returns(fixture(DEFERRED), ['ran', '3 hits'], { ended: [{ index: 1, how }] });
    expect(answer).toEqual({
      kind: 'tool_return',
      tool_call_id: CALL_D,
      name: 'external_search',
      ...shape,
      metadata: { deferred_id: `deferred_${RUN}_${CALL_D}`, deferred_status: status, hitl_state: 'resolved' },
    });
  });

  test('a result that a person attached is kept as it is, digits and all', () => {
    const text = deferredReturn(RUN, { callId: 'c', name: 'x' }, { status: 'completed', response: '{"n":1.0}' });
    expect(text).toContain('"content":{"n":1.0},"is_error":false');
  });

  test('the reason is found again in the answer that was written for it, and in nothing else', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (reason) => {
        const expected = reason.trim() === '' ? 'no reason was given' : reason;
        expect(rejectionReason(rejectionText(reason))).toBe(expected);
      }),
    );
    expect(rejectionReason('Human reviewer rejected this step: x')).toBeNull();
    expect(rejectionReason('')).toBeNull();
  });
});

test('what a model may write never makes a record that cannot be read', () => {
  const bytes = fixture(TWO);
  const odd = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.json(),
    fc.constantFrom(
      '',
      '1],[2',
      '{"a":1}}',
      '{"a":1,"a":2}',
      '{"kind":"starweaver_invalid_tool_arguments","raw":7}',
      '{"kind":"starweaver_invalid_tool_arguments","raw":"{}","error":"x"}',
      `${'['.repeat(119)}${']'.repeat(119)}`,
      `${'['.repeat(121)}${']'.repeat(121)}`,
      '1e400',
      '"\\ud83d"',
    ),
  );
  fc.assert(
    fc.property(odd, odd, odd, (content, written, answer) => {
      const call = { id: content, name: content, arguments: written };
      const next = write(bytes, {
        messages: goneOn(bytes, [answer, content], [assistant([call], content)]),
        pending: [{ index: 0, ...call }],
      });
      const record = recordOf(next);
      expect(record.pending).toHaveLength(1);
      expect(record.resumable).toBe(true);
      expect(record.completedStep).toBe(2);
      expect(record.messages).toHaveLength(6);
      expect(record.messages.at(-1)?.toolCalls[0]?.arguments).toBe(record.pending?.[0]?.arguments);
    }),
    { numRuns: 100 },
  );
});

test('an unreadable record is a fault of the caller, not a guess', () => {
  expect(() => write(fixture(ONE), { messages: [] })).not.toThrow();
  expect(() =>
    starweaver.writeContinued(fixture('08-unknown-version.json'), {
      messages: [],
      pending: null,
      step: 1,
      createdAt: AT,
    }),
  ).toThrow('not a readable starweaver record');
});
