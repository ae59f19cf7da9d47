import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { inspectJson, readRecord } from '../../electron/formats/read-record.js';
import {
  BARE,
  bytesOf,
  CALL_A,
  CALL_C,
  changed,
  fixture,
  type Json,
  ONE,
  RUN,
  recordOf,
  refusalOf,
  TWO,
  textOf,
} from '../helpers/starweaver.js';

const HISTORY = 'payload/state/message_history';
const codes = (bytes: Uint8Array): string[] => recordOf(bytes).warnings.map(({ code }) => code);

describe('S1 S2 the envelope', () => {
  const payload = JSON.parse(textOf(fixture(ONE))).payload;
  const envelope = (keys: Record<string, Json>): Uint8Array => bytesOf(JSON.stringify(keys));
  const SCHEMA = 'starweaver.runtime.checkpoint';

  test.each([
    ['no payload', envelope({ schema: SCHEMA, version: 1 }), 'Json', 'invalid durable JSON: missing field `payload`'],
    ['no version', envelope({ schema: SCHEMA, payload }), 'Json', 'invalid durable JSON: missing field `version`'],
    ['no schema', envelope({ version: 1, payload }), 'Json', 'invalid durable JSON: missing field `schema`'],
    ['schema null', envelope({ schema: null, version: 1, payload }), 'Json', 'schema must be a text, not null'],
    ['version as text', envelope({ schema: SCHEMA, version: '1', payload }), 'Json', 'version must be a u32, not "1"'],
    ['version -1', envelope({ schema: SCHEMA, version: -1, payload }), 'Json', 'version must be a u32, not -1'],
    ['version too large', envelope({ schema: SCHEMA, version: 4294967296, payload }), 'Json', 'not 4294967296'],
    [
      'another schema of starweaver, newer',
      envelope({ schema: 'starweaver.runtime.event', version: 9, payload }),
      'WrongSchema',
      'expected durable schema starweaver.runtime.checkpoint, received starweaver.runtime.event',
    ],
    [
      'payload null',
      envelope({ schema: SCHEMA, version: 1, payload: null }),
      'wrong_type',
      'payload must be an object, not null',
    ],
    [
      'J8 payload as a list',
      envelope({ schema: SCHEMA, version: 1, payload: [1] }),
      'wrong_type',
      'payload must be an object',
    ],
  ])('%s', (_, bytes, code, words) => {
    const refusal = refusalOf(bytes);
    expect(refusal).toMatchObject({ system: 'starweaver', code });
    expect(refusal.text).toContain(words);
  });

  test('J6 a version 1.0 is no u32', () => {
    const text = textOf(fixture(ONE)).replace('"version":1,', '"version":1.0,');
    expect(refusalOf(bytesOf(text))).toMatchObject({ code: 'Json', path: 'version' });
  });

  test('C44 a newer version is refused by its number before anything of it is looked at', () => {
    const newer = readFileSync(new URL('../fixtures/cases/C44-newer-schema/starweaver.json', import.meta.url));
    expect(refusalOf(newer)).toMatchObject({ system: 'starweaver', code: 'UnsupportedVersion', path: 'version' });
    expect(refusalOf(newer).text).toContain('version 3; supported version is 1');
    const broken = changed(ONE, { version: 2, 'payload/node': 'nowhere' });
    expect(refusalOf(broken).text).toContain('version 2; supported version is 1');
  });

  test('further keys of the envelope are ignored, and so are unknown keys of the record', () => {
    const bytes = changed(ONE, { trailer: 1, 'payload/new_field': { a: 1 }, 'payload/state/new_field': [] });
    expect(recordOf(bytes)).toEqual(recordOf(fixture(ONE)));
  });

  test('v1 and bare v0 of one payload read the same', () => {
    const [enveloped, bare] = [recordOf(fixture(ONE)), recordOf(bytesOf(JSON.stringify(payload)))];
    const pending = enveloped.pending?.map((call) => ({
      ...call,
      paths: call.paths?.map((path) => path.replace(/^payload\./, '')),
    }));
    expect(bare).toEqual({ ...enveloped, pending, about: bare.about });
  });

  test('a record of klieo is not taken for one, nor an object with a few of the words', () => {
    const klieo = readRecord(
      readFileSync(new URL('../fixtures/klieo/02-parallel-three-pending.json', import.meta.url)),
    );
    expect(klieo.ok && klieo.record.system).toBe('klieo');
    expect(refusalOf(bytesOf('{"node":"x","state":{}}')).system).toBe('unknown');
    expect(refusalOf(bytesOf('{"schema":"other","version":1,"payload":{}}')).system).toBe('unknown');
  });

  test('an envelope with the payload of a checkpoint is known by it, whatever its schema says', () => {
    expect(refusalOf(envelope({ schema: 'mine', version: 1, payload }))).toMatchObject({
      system: 'starweaver',
      code: 'WrongSchema',
    });
  });
});

describe('H5 strict: what its own reader refuses', () => {
  test.each([
    ['payload/checkpoint_id', undefined, 'payload.checkpoint_id is missing'],
    ['payload/run_id', undefined, 'payload.run_id is missing'],
    ['payload/resume', undefined, 'payload.resume is missing'],
    ['payload/state', undefined, 'payload.state is missing'],
    ['payload/state/usage', undefined, 'payload.state.usage is missing'],
    ['payload/state/usage/requests', undefined, 'payload.state.usage.requests is missing'],
    [HISTORY, undefined, 'payload.state.message_history is missing'],
    ['payload/resume/cursor/message_cursor', undefined, 'payload.resume.cursor.message_cursor is missing'],
    ['payload/resume/pending_approval_count', undefined, 'payload.resume.pending_approval_count is missing'],
    ['payload/node', 'nowhere', 'payload.node must be one of run_start, '],
    ['payload/state/status', 'queued', 'payload.state.status must be one of starting, '],
    ['payload/state/status', 'Waiting', 'not "Waiting"'],
    ['payload/run_step', '1', 'payload.run_step must be a whole number'],
    ['payload/run_step', -1, 'payload.run_step must be a whole number'],
    ['payload/run_step', 1.5, 'payload.run_step must be a whole number'],
    ['payload/metadata', null, 'payload.metadata must be an object, not null'],
    ['payload/metadata', [], 'payload.metadata must be an object, not a list'],
    ['payload/state/pending_tool_calls', null, 'payload.state.pending_tool_calls must be a list, not null'],
    ['payload/state/pending_approval_tool_returns', null, 'must be a list, not null'],
    ['payload/state/pending_approval_tool_returns/0/is_error', null, 'is_error must be true or false, not null'],
    ['payload/state/pending_approval_tool_returns/0/content', undefined, 'content is missing'],
    ['payload/state/latest_response', [], 'payload.state.latest_response must be an object'],
    ['payload/state/latest_response/finish_reason', 'done', 'finish_reason must be one of stop, '],
    ['payload/resume/trace_context', null, 'payload.resume.trace_context must be an object, not null'],
    [`${HISTORY}/0/timestamp`, '2026-07-20T09:14:01', 'message_history[0].timestamp must be a time in RFC 3339'],
    [`${HISTORY}/0/timestamp`, 5, 'message_history[0].timestamp must be a time in RFC 3339'],
    ['payload/run_id', '', 'payload.run_id is empty: it names nothing'],
  ])('%s: %j', (path, value, words) => {
    const refusal = refusalOf(changed(ONE, { [path]: value }));
    expect(refusal.system).toBe('starweaver');
    expect(refusal.text).toContain(words);
    expect(refusal.path.split(/[.[]/)[0]).toBe('payload');
  });

  test.each([
    ['payload/state/output', null],
    ['payload/state/latest_response/provider', null],
    ['payload/resume/context_revision', null],
    ['payload/resume/cursor/stream_cursor', null],
    ['payload/state/parent_run_id', null],
    ['payload/state/structured_output', null],
    [`${HISTORY}/0/instructions`, null],
    [`${HISTORY}/1/usage`, undefined],
    ['payload/state/usage/cache_write_1h_tokens', 3],
  ])('J4 an option may be null or absent: %s', (path, value) => {
    expect(recordOf(changed(ONE, { [path]: value })).state).toBe('waiting');
  });

  test('J6 a number past 64 bits, with a fraction or an exponent is none', () => {
    for (const written of ['18446744073709551616', '412.0', '4e2', '-0']) {
      const text = textOf(fixture(ONE)).replaceAll('"input_tokens":412', `"input_tokens":${written}`);
      expect(refusalOf(bytesOf(text)).text).toContain('input_tokens must be a whole number');
    }
    const most = textOf(fixture(ONE)).replaceAll('"input_tokens":412', '"input_tokens":18446744073709551615');
    expect(recordOf(bytesOf(most)).state).toBe('waiting');
  });

  test('bytes of a picture are 0 to 255', () => {
    const path = `${HISTORY}/0/parts/1/content/1/data`;
    expect(refusalOf(changed('18-multimodal-history.json', { [path]: [255, 256] })).text).toContain(
      'message_history[0].parts[1].content[1].data must be a list of bytes, 0 to 255',
    );
    expect(refusalOf(changed('18-multimodal-history.json', { [path]: 'iVBORw==' })).text).toContain('list of bytes');
  });

  test.each([
    ['a BOM', `\ufeff${textOf(fixture(ONE))}`, 'bom'],
    ['a lone surrogate', textOf(fixture(ONE)).replace('Clean', '\\ud83d'), 'lone_surrogate'],
    ['1e400', textOf(fixture(ONE)).replace('0.000041', '1e400'), 'number_overflow'],
    ['a cut', textOf(fixture(ONE)).slice(0, -1), 'truncated'],
    ['something behind it', `${textOf(fixture(ONE))} x`, 'trailing'],
  ])('J7 %s', (_, text, code) => {
    expect(refusalOf(bytesOf(text)).code).toBe(code);
  });
});

describe('every kind of part', () => {
  const request = (parts: Json[], more: Record<string, Json> = {}): Json => ({ kind: 'request', parts, ...more });
  const response = (parts: Json[]): Json => ({ kind: 'response', parts });
  /** A running record with this history, so that no call pends. */
  const withHistory = (history: Json[]): Uint8Array =>
    changed('04-running-no-pending.json', {
      [HISTORY]: history,
      'payload/resume/cursor/message_cursor': history.length,
    });
  const messages = (history: Json[]) =>
    recordOf(withHistory(history)).messages.map(({ role, content, toolCallId }) => [role, content, toolCallId]);

  test('requests', () => {
    const content: Json[] = [
      { kind: 'text', text: 'a' },
      { kind: 'cache_point' },
      { kind: 'cache_point', ttl: '5m' },
      { kind: 'file_url', url: 'https://x.test/f', media_type: 'text/csv' },
      { kind: 'resource_ref', uri: 'res:1', media_type: 'video/mp4', resource_type: 'video', metadata: {} },
    ];
    const parts: Json[] = [
      { kind: 'system_prompt', text: 'sys', metadata: { a: 1 } },
      { kind: 'user_prompt', content },
      { kind: 'retry_prompt', text: 'again', tool_call_id: 'c' },
      { kind: 'instruction', text: 'do' },
    ];
    expect(messages([request(parts, { instructions: 'first' })])).toEqual([
      ['system', 'first', null],
      ['system', 'sys', null],
      ['user', 'a\n[file, text/csv: https://x.test/f]\n[video, video/mp4: res:1]', null],
      ['user', 'again', null],
      ['system', 'do', null],
    ]);
  });

  test('responses', () => {
    const provider = { id: 'p', provider_name: 'o', details: {} };
    const parts: Json[] = [
      { kind: 'text', text: 'a' },
      { kind: 'provider_text', text: 'b', provider },
      { kind: 'thinking', text: 'secret', signature: 's' },
      { kind: 'provider_thinking', text: 'secret', provider },
      { kind: 'native_tool_call', tool_type: 'web', payload: null },
      { kind: 'native_tool_return', tool_type: 'web', payload: [1] },
      { kind: 'file', url: 'https://x.test/o', media_type: 'image/png' },
      { kind: 'compaction', summary: 'so far' },
      { kind: 'provider_opaque', item_type: 'thing', payload: {}, provider },
    ];
    expect(messages([response(parts)])).toEqual([
      [
        'assistant',
        "ab\n[the provider's own tool web was called]\n[the provider's own tool web answered]\n[file, image/png: https://x.test/o]\n[summary of what came before] so far\n[the provider's own thing]",
        null,
      ],
    ]);
    expect(messages([response([{ kind: 'thinking', text: 'only' }])])).toEqual([]);
  });

  test('both kinds of calls, and answers with a text, a value, and media of their own', () => {
    const call = { id: 'c1', name: 'x', arguments: { n: 1 } };
    const record = recordOf(
      withHistory([
        response([
          { kind: 'tool_call', ...call },
          { kind: 'provider_tool_call', call: { id: 'c2', name: 'y' } },
        ]),
        request([
          {
            kind: 'user_prompt',
            content: [{ kind: 'text', text: 'picture' }],
            metadata: { starweaver_context_origin: 'other' },
          },
          { kind: 'tool_return', tool_call_id: 'c1', name: 'x', content: 'plain' },
          {
            kind: 'user_prompt',
            content: [
              { kind: 'text', text: 'shot' },
              { kind: 'image_url', url: 'u' },
            ],
            metadata: { starweaver_context_origin: 'tool_return_media', tool_call_id: 'c1' },
          },
          { kind: 'tool_return', tool_call_id: 'c2', name: 'y', content: { a: 1.5 }, is_error: true },
        ]),
      ]),
    );
    expect(record.messages[0]?.toolCalls).toEqual([
      { id: 'c1', name: 'x', arguments: '{"n":1}' },
      { id: 'c2', name: 'y', arguments: 'null' },
    ]);
    expect(record.messages.slice(1).map(({ role, content, toolCallId }) => [role, content, toolCallId])).toEqual([
      ['tool', 'plain\nshot\n[image: u]', 'c1'],
      ['tool', '{"a":1.5}', 'c2'],
      ['user', 'picture', null],
    ]);
    expect(record.warnings.filter(({ code }) => code.startsWith('transcript'))).toEqual([]);
  });

  test.each([
    [[{ kind: 'banner', parts: [] }], 'message_history[0].kind must be one of request, response, not "banner"'],
    [[{ parts: [] }], 'message_history[0].kind is missing'],
    [['request'], 'message_history[0] must be an object'],
    [[request([{ kind: 'hologram' }])], 'message_history[0].parts[0].kind must be one of system_prompt, user_prompt, '],
    [[response([{ kind: 'tool_return', tool_call_id: 'c', name: 'x', content: 1 }])], 'not "tool_return"'],
    [
      [request([{ kind: 'user_prompt', content: [{ kind: 'audio_url', url: 'u' }] }])],
      'message_history[0].parts[0].content[0].kind must be one of cache_point, text, ',
    ],
    [[request([{ kind: 'user_prompt', content: 'text' }])], 'message_history[0].parts[0].content must be a list'],
    [[response([{ kind: 'tool_call', id: 'c' }])], 'message_history[0].parts[0].name is missing'],
    [[response([{ kind: 'provider_tool_call' }])], 'message_history[0].parts[0].call is missing'],
    [[response([{ kind: 'native_tool_call', tool_type: 't' }])], 'message_history[0].parts[0].payload is missing'],
    [[request([{ kind: 'user_prompt', content: [{ kind: 'cache_point', ttl: '9m' }] }])], 'ttl must be 5m or 1h'],
  ])('an unknown kind or a wrong part refuses the record, with its name and path: %j', (history, words) => {
    const refusal = refusalOf(withHistory(history));
    expect(refusal.system).toBe('starweaver');
    expect(refusal.text).toContain(words);
    expect(refusal.path).toMatch(/^payload\.state\.message_history\[0\]/);
  });

  test('an unknown kind in the latest response refuses as well', () => {
    const bytes = changed(ONE, { 'payload/state/latest_response/parts/0/kind': 'poem' });
    expect(refusalOf(bytes)).toMatchObject({ path: 'payload.state.latest_response.parts[0].kind' });
    expect(refusalOf(bytes).text).toContain('not "poem"');
  });

  test('S6 answers that are not in the history yet belong to the conversation, those of pending calls do not', () => {
    const bytes = changed('14-pending-but-status-running.json', {
      'payload/state/pending_tool_returns': [
        { tool_call_id: CALL_A, name: 'shell_exec', content: 'x', metadata: { control_flow: 'approval_required' } },
        { tool_call_id: CALL_C, name: 'read_file', content: 'done' },
      ],
    });
    expect(recordOf(bytes).messages.map(({ role, toolCallId }) => [role, toolCallId])).toEqual([
      ['user', null],
      ['assistant', null],
      ['tool', CALL_C],
    ]);
  });
});

describe('S11 I5 facts that stand twice', () => {
  test.each([
    ['payload/state/run_id', 'run_other'],
    ['payload/state/conversation_id', 'conv_other'],
    ['payload/resume/node', 'tool_call'],
    ['payload/resume/run_step', 2],
    ['payload/state/run_step', 2],
    ['payload/run_step', 2],
    ['payload/resume/status', 'running'],
    ['payload/resume/pending_approval_count', 2],
    ['payload/resume/deferred_tool_count', 1],
    ['payload/resume/cursor/message_cursor', 3],
    ['payload/resume/cursor/model_request_attempt', 2],
    ['payload/resume/cursor/tool_call_batch_id', 'tool_batch_2'],
    ['payload/resume/cursor/tool_call_batch_id', undefined],
    ['payload/state/pending_tool_calls', undefined],
  ])('%s = %j is refused by name', (path, value) => {
    const refusal = refusalOf(changed(ONE, { [path]: value }));
    expect(refusal).toMatchObject({ system: 'starweaver', code: 'IdentityMismatch' });
    expect(refusal.text).toContain('the record contradicts itself');
    expect(refusal.path).toMatch(/^payload\.(resume|state)\./);
  });

  test('the path of a bare record is its own', () => {
    expect(refusalOf(changed(BARE, { 'resume/status': 'running' }))).toMatchObject({
      code: 'IdentityMismatch',
      path: 'resume.status',
    });
  });

  test('usage that differs is told, and stands in nobody’s way', () => {
    const bytes = changed(ONE, { 'payload/resume/usage/total_tokens': 1 });
    expect(recordOf(bytes).warnings).toMatchObject([{ code: 'usage_differs', blocksApproval: false }]);
  });
});

describe('S13 the reviewed arguments', () => {
  const RETURN = 'payload/state/pending_approval_tool_returns/0';
  const BOUND = `${RETURN}/metadata`;
  const metadata = (reviewed: Json): Json => ({
    control_flow: 'approval_required',
    'starweaver.approval_tool_arguments': reviewed,
  });
  const fault = (bytes: Uint8Array) => {
    const record = recordOf(bytes);
    expect(record.resumable).toBe(false);
    const [first] = record.warnings.filter((warning) => warning.blocksApproval);
    return `${first?.code}: ${first?.text}`;
  };

  test('are equal as values, whatever the order of keys', () => {
    const bytes = changed(ONE, { [BOUND]: metadata({ cwd: '/srv/apps', command: 'rm -rf target/out' }) });
    expect(recordOf(bytes)).toMatchObject({ resumable: true, warnings: [] });
  });

  test('other arguments: MismatchedDecisionEvidence', () => {
    expect(fault(changed(ONE, { [BOUND]: metadata({ command: 'rm -rf /', cwd: '/srv/apps' }) }))).toContain(
      'MismatchedDecisionEvidence: durable approval decision approval_run_5f0e2c1a-8d3b-4b6e-9a77-1c2d3e4f5a6b_sw-tool-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa has mismatched checkpoint tool arguments',
    );
  });

  test('another tool: MismatchedDecisionEvidence', () => {
    expect(fault(changed(ONE, { [`${RETURN}/name`]: 'read_file' }))).toContain('has mismatched checkpoint tool name');
  });

  test('no such call: IdentityMismatch; the arguments shown are the reviewed ones', () => {
    const bytes = changed(ONE, { [`${RETURN}/tool_call_id`]: 'sw-tool-0' });
    expect(fault(bytes)).toContain(`IdentityMismatch: pending approval approval_${RUN}_sw-tool-0 has no matching`);
    expect(recordOf(bytes).pending?.[0]?.arguments).toBe('{"command":"rm -rf target/out","cwd":"/srv/apps"}');
  });

  test('H8 one id twice: DuplicateDecision, and the ids collide', () => {
    const item: Json = JSON.parse(textOf(fixture(ONE))).payload.state.pending_approval_tool_returns[0];
    const bytes = changed(ONE, {
      'payload/state/pending_approval_tool_returns': [item, item],
      'payload/resume/pending_approval_count': 2,
    });
    // The conversation asks that call once.
    expect(codes(bytes).slice(0, 3)).toEqual(['DuplicateDecision', 'DuplicateDecision', 'ids_collide']);
    expect(recordOf(bytes).resumable).toBe(false);
  });

  test('the batch wins over the response, as it does for starweaver', () => {
    const bytes = changed(ONE, { 'payload/state/pending_tool_calls/0/arguments': { command: 'ls' } });
    expect(fault(bytes)).toContain('has mismatched checkpoint tool arguments');
    expect(recordOf(bytes).pending?.[0]?.arguments).toBe('{"command":"ls"}');
    // The history shows another call than the one that would run.
    expect(codes(bytes)).toContain('transcript_broken');
  });

  test('I6 numbers are compared and kept as written', () => {
    const swap = (text: string, at: number, by: string): string =>
      text
        .split('"command":"rm -rf target/out"')
        .map((piece, index) => (index === 0 ? '' : index === at ? by : '"n":9007199254740993') + piece)
        .join('');
    const same = swap(textOf(fixture(ONE)), -1, '');
    expect(recordOf(bytesOf(same)).pending?.[0]?.arguments).toBe('{"n":9007199254740993,"cwd":"/srv/apps"}');
    expect(codes(bytesOf(same))).toEqual(['integer_past_2_53']);
    const reviewed = textOf(fixture(ONE)).split('"command":"rm -rf target/out"').length - 1;
    expect(codes(bytesOf(swap(textOf(fixture(ONE)), reviewed, '"n":9007199254740992')))).toContain(
      'MismatchedDecisionEvidence',
    );
  });

  test('16 the marker of invalid arguments without its raw text executes as an empty string', () => {
    const marker = { kind: 'starweaver_invalid_tool_arguments', error: 'e' };
    const bytes = changed(ONE, {
      'payload/state/pending_tool_calls/0/arguments': marker,
      [BOUND]: metadata(''),
      [`${HISTORY}/1/parts/1/arguments`]: marker,
    });
    expect(recordOf(bytes).pending?.[0]?.arguments).toBe('""');
    expect(recordOf(bytes).resumable).toBe(true);
  });
});

describe('what else stands against approving', () => {
  test('S9 a question to the user is answered, not approved', () => {
    const text = textOf(fixture(ONE)).replaceAll('shell_exec', 'ask_user_question');
    expect(recordOf(bytesOf(text)).warnings).toMatchObject([{ code: 'needs_clarification', blocksApproval: true }]);
  });

  test.each([
    ['in the envelope', '{"schema":', '{"version":1,"schema":', ''],
    [
      'in the record',
      '"node":"tool_return","run_step"',
      '"node":"tool_call","node":"tool_return","run_step"',
      'payload',
    ],
    [
      'in the arguments',
      '"pending_tool_calls":[{"id":"sw-tool-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","name":"shell_exec","arguments":{',
      '"pending_tool_calls":[{"id":"sw-tool-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","name":"shell_exec","arguments":{"cwd":"/",',
      'payload.state.pending_tool_calls[0].arguments',
    ],
  ])('J5 I5 a key that stands twice %s: the last one counts upstream, nobody approves it here', (_, from, to, path) => {
    const text = textOf(fixture(ONE));
    expect(text).toContain(from);
    const bytes = bytesOf(text.replace(from, to));
    const record = recordOf(bytes);
    expect(record.warnings.filter(({ code }) => code === 'duplicate_key')).toMatchObject([
      { path, blocksApproval: true },
    ]);
    expect(record.about).toContainEqual({ name: 'node', value: 'tool_return' });
  });

  test('an empty id of a call is told', () => {
    const text = textOf(fixture(ONE)).replaceAll(CALL_A, '');
    expect(recordOf(bytesOf(text)).warnings).toMatchObject([
      { code: 'empty_id', path: 'payload.state.pending_approval_tool_returns[0].tool_call_id', blocksApproval: false },
    ]);
  });

  test('a run that waits for nothing a person could decide does not wait for one (NoPendingHitl)', () => {
    const record = recordOf(
      changed(ONE, {
        'payload/state/pending_approval_tool_returns': undefined,
        'payload/resume/pending_approval_count': 0,
      }),
    );
    expect(record).toMatchObject({ state: 'running', resumable: false, pending: [] });
    expect(record.classification).toBe('waiting, but for nothing that a person could decide');
  });

  test('H18 at a tool, a call of the batch without an answer may have run; at another node the batch is over (S5)', () => {
    const standing = (changes: Record<string, Json | undefined>) => {
      const { state, classification, resumable } = recordOf(
        changed(TWO, { 'payload/resume/status': 'running', 'payload/state/status': 'running', ...changes }),
      );
      expect(resumable).toBe(false);
      return [state, classification];
    };
    const noApprovals = {
      'payload/state/pending_approval_tool_returns': undefined,
      'payload/resume/pending_approval_count': 0,
    };
    const needed = '2 approvals will be needed once the other calls of the batch are done';
    expect(standing({})).toEqual(['running', `not waiting yet: ${needed}`]);
    const unread = { [`${HISTORY}/2`]: undefined, 'payload/resume/cursor/message_cursor': 2 };
    expect(standing(unread)).toEqual(['in_flight', `in flight: read_file of step 1 may have run; ${needed}`]);
    const atCall = { ...noApprovals, 'payload/node': 'tool_call', 'payload/resume/node': 'tool_call' };
    expect(standing(atCall)).toEqual(['in_flight', 'in flight: shell_exec, deploy of step 1 may have run']);
    const later = { ...noApprovals, 'payload/node': 'model_response', 'payload/resume/node': 'model_response' };
    expect(standing(later)).toEqual([
      'running',
      'interrupted after step 1, at model_response; nothing waits for a person',
    ]);
  });

  test('a call of the history that nobody answered is told with its place', () => {
    const bytes = changed(TWO, {
      [`${HISTORY}/2/parts`]: [{ kind: 'instruction', text: 'x' }],
    });
    expect(codes(bytes)).toContain('transcript_unanswered');
    expect(recordOf(bytes).warnings.find(({ code }) => code === 'transcript_unanswered')?.path).toBe(
      'payload.state.message_history[1]',
    );
  });
});

test('every prefix of a record is refused, none throws', () => {
  const whole = fixture(ONE);
  for (let length = 0; length < whole.length; length += 7) expect(readRecord(whole.subarray(0, length)).ok).toBe(false);
});

test('C46 keys that mean something to a runtime are data', () => {
  const gadget: Json = JSON.parse('{"then":1,"toJSON":"x","constructor":{"name":"y"},"__proto__":1}');
  const bytes = bytesOf(
    textOf(changed(ONE, { 'payload/metadata': gadget })).replaceAll(
      '"command":"rm -rf target/out"',
      '"then":1,"toJSON":"x","__proto__":{"a":1},"constructor":{"prototype":{}}',
    ),
  );
  expect(recordOf(bytes).pending?.[0]?.arguments).toBe(
    '{"then":1,"toJSON":"x","__proto__":{"a":1},"constructor":{"prototype":{}},"cwd":"/srv/apps"}',
  );
  expect(JSON.parse(inspectJson(bytes)).pending).toHaveLength(1);
  expect(({} as { a?: number }).a).toBeUndefined();
});
