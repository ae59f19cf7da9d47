import { readFileSync } from 'node:fs';
import { decodeTime } from 'ulid';
import { describe, expect, test } from 'vitest';
import { readRecord } from '../../electron/formats/read-record.js';
import { parseUuid, uuidFromUlid } from '../../electron/formats/runifold/uuid.js';
import { runifold } from '../../electron/formats/runifold.js';

const FIXTURES = new URL('../fixtures/', import.meta.url);
const fixture = (file: string): string => readFileSync(new URL(`runifold/${file}`, FIXTURES), 'utf8');
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

const AGENT = fixture('03-ready-after-parallel-tools.json');
const WORKFLOW = fixture('wf-01-waiting-interrupt.json');

function recordOf(text: string) {
  const read = readRecord(bytesOf(text));
  if (!read.ok) throw new Error(read.refusal.text);
  return read.record;
}

function refusalOf(text: string) {
  const read = readRecord(bytesOf(text));
  if (read.ok) throw new Error('accepted');
  return { ...read.refusal, system: read.system };
}

/** One piece of the text replaced; it must be there. */
function changed(text: string, was: string, is: string): string {
  expect(text).toContain(was);
  return text.replace(was, is);
}

const codes = (text: string): string[] => recordOf(text).warnings.map(({ code }) => code);

describe('5.1 the envelope', () => {
  test.each(['id', 'revision', 'run_id', 'schema_version', 'payload', 'updated_at_ms'])(
    '%s missing is refused',
    (key) => {
      const text = JSON.stringify({ ...JSON.parse(AGENT), [key]: undefined });
      expect(refusalOf(text)).toMatchObject({ system: 'runifold', code: 'missing_field', path: key });
    },
  );

  test('kind missing is refused by name: the rest of the envelope tells whose it is', () => {
    const text = JSON.stringify({ ...JSON.parse(AGENT), kind: undefined });
    expect(refusalOf(text)).toMatchObject({ system: 'runifold', code: 'missing_field', path: 'kind' });
  });

  test.each([
    ['"revision":2', '"revision":2.0'],
    ['"revision":2', '"revision":2e0'],
    ['"revision":2', '"revision":"2"'],
    ['"revision":2', '"revision":-1'],
    ['"revision":2', '"revision":18446744073709551616'],
    ['"revision":2', '"revision":null'],
    ['"schema_version":1', '"schema_version":1.0'],
    ['"schema_version":1', '"schema_version":"1"'],
    ['"updated_at_ms":1784538846482', '"updated_at_ms":1784538846482.5'],
    ['"kind":"runifold.agent"', '"kind":null'],
  ])('J6 %s as %s is refused', (was, is) => {
    expect(refusalOf(changed(AGENT, was, is))).toMatchObject({ system: 'runifold', code: 'wrong_type' });
  });

  test('J6 revision is a number of 64 bits, kept exactly', () => {
    expect(recordOf(changed(AGENT, '"revision":2', '"revision":18446744073709551614')).revision).toBe(
      '18446744073709551614',
    );
  });

  test('J5 a repeated envelope key is refused; in the payload it is told and blocks', () => {
    expect(refusalOf(changed(AGENT, '"revision":2', '"revision":2,"revision":3'))).toMatchObject({
      code: 'duplicate_key',
      system: 'runifold',
    });
    const record = recordOf(changed(AGENT, '"turns":1,"usage"', '"turns":0,"turns":1,"usage"'));
    expect(record.warnings).toEqual([
      expect.objectContaining({ code: 'duplicate_key', path: 'payload', blocksApproval: true }),
    ]);
    expect(record.completedStep).toBe(1);
  });

  test('J3 unknown keys are ignored; J8 a list in place of an object is not', () => {
    expect(recordOf(changed(AGENT, '{"id"', '{"note":[1.0],"id"')).state).toBe('running');
    expect(runifold.read(bytesOf('["0198f0c1-7b1e-7c3a-9d2e-5a6b7c8d9e0f",2]'))).toMatchObject({ ok: false });
  });

  test('J10 a UUID in any form is one id, lower case with hyphens; another text is refused', () => {
    const canonical = '0198f0c1-7b1d-7aaa-8bbb-0123456789ab';
    for (const form of [
      canonical.toUpperCase(),
      canonical.replaceAll('-', ''),
      `{${canonical}}`,
      `urn:uuid:${canonical}`,
    ]) {
      expect(recordOf(AGENT.replace(canonical, form)).runId).toBe(canonical);
    }
    for (const bad of [
      '',
      'r1',
      `${canonical}0`,
      `{${canonical}`,
      `URN:UUID:${canonical}`,
      canonical.replace('-', '_'),
    ]) {
      expect(parseUuid(bad)).toBeNull();
      expect(refusalOf(AGENT.replace(canonical, bad))).toMatchObject({ code: 'bad_id', path: 'run_id' });
    }
  });

  test('the UUID of a ULID is a v7 with the same milliseconds', () => {
    const id = uuidFromUlid('01K0QZ6V5M3H8D7N2B4C9F1XGA');
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(decodeTime('01K0QZ6V5M3H8D7N2B4C9F1XGA'));
    expect(uuidFromUlid('01k0qz6v5m3h8d7n2b4c9f1xga')).toBe(id);
    expect(uuidFromUlid('01K0QZ6V5M3H8D7N2B4C9F1XGB')).not.toBe(id);
  });

  test('the run is named by run_id, the record by the checkpoint id', () => {
    expect(recordOf(AGENT)).toMatchObject({
      runId: '0198f0c1-7b1d-7aaa-8bbb-0123456789ab',
      checkpointId: '0198f0c1-7b1e-7c3a-9d2e-5a6b7c8d9e0f',
    });
  });

  test('an instant beyond any clock is no reason to refuse, and no date', () => {
    expect(recordOf(changed(AGENT, '1784538846482', '18446744073709551615')).updatedAt).toBeNull();
    expect(recordOf(changed(AGENT, '1784538846482', '8210266876799999')).updatedAt).toBe('+262142-12-31T23:59:59.999Z');
  });
});

describe('C44 kind and schema version come before everything else', () => {
  test('a newer schema is named with what was found and what is read, though the envelope is broken', () => {
    const text = readFileSync(new URL('cases/C44-newer-schema/runifold.json', FIXTURES), 'utf8');
    const refusal = refusalOf(text);
    expect(refusal).toMatchObject({ system: 'runifold', code: 'newer_schema', path: 'schema_version', line: 5 });
    expect(refusal.text).toContain('InvalidPayload: checkpoint kind or schema version is not supported');
    expect(refusal.text).toContain(
      'schema_version 2 of runifold.agent is newer than this app can decide on (supported: 1)',
    );
  });

  test('the payload is not looked at', () => {
    const text = JSON.stringify({ ...JSON.parse(AGENT), schema_version: 2, payload: 7 });
    expect(refusalOf(text).code).toBe('newer_schema');
  });

  test.each([
    ['runifold.agent', 0, 'unsupported_schema', 'older than this app reads (supported: 1)'],
    ['runifold.agent', 3, 'newer_schema', '(supported: 1)'],
    ['runifold.workflow', 2, 'unsupported_schema', '(supported: 3, 4)'],
    ['runifold.workflow', 5, 'newer_schema', '(supported: 3, 4)'],
    ['runifold.other', 1, 'unsupported_kind', 'kind "runifold.other"'],
  ])('%s %i: %s', (kind, version, code, words) => {
    const refusal = refusalOf(JSON.stringify({ ...JSON.parse(AGENT), kind, schema_version: version }));
    expect(refusal.code).toBe(code);
    expect(refusal.text).toContain(words);
  });
});

describe('5.2 the agent payload', () => {
  test.each([
    ['"turns":1,"usage"', '"turns":null,"usage"', 'payload.turns'],
    ['"turns":1,"usage"', '"turns":4294967296,"usage"', 'payload.turns'],
    ['"delegations":0,"execution_id"', '"execution_id"', 'payload.delegations'],
    ['"tokens":612', '"tokens":-0', 'payload.usage.tokens'],
    ['"model":{"name":"gpt-x","provider":"openai"}', '"model":{"name":"gpt-x"}', 'payload.model.provider'],
    ['{"state":"ready_for_turn"}', '{"state":"paused"}', 'payload.phase.state'],
    ['{"state":"ready_for_turn"}', '{"state":"turn_in_flight"}', 'payload.phase.turn'],
    ['{"state":"ready_for_turn"}', '"ready_for_turn"', 'payload.phase'],
    ['"role":"system"', '"role":"developer"', 'payload.transcript[0].role'],
    [
      '"type":"text"}],"metadata":{},"role":"system"',
      '"type":"video"}],"metadata":{},"role":"system"',
      'content[0].type',
    ],
    [
      '"type":"text"}],"metadata":{},"role":"system"',
      '"type":"text"}],"metadata":null,"role":"system"',
      '[0].metadata',
    ],
    ['"is_error":false,"metadata":{},"name":"get_invoice"', '"metadata":{},"name":"get_invoice"', '.is_error'],
    ['"id":"call_1","metadata":{}', '"id":"call_1"', '.metadata'],
    ['"arguments":{"order_id":"ORD-4471"},', '', '.arguments'],
  ])('%s as %s is refused at %s', (was, is, path) => {
    const refusal = refusalOf(changed(AGENT, was, is));
    expect(refusal.system).toBe('runifold');
    expect(refusal.path).toContain(path);
    expect(refusal.text).toMatch(/^line 1, column \d+: InvalidPayload: /);
  });

  test('J4 what is an option may be absent or null', () => {
    const text = AGENT.replaceAll('"raw_arguments":null,', '').replace(
      '"name":"get_invoice","type":"tool_result"',
      '"name":null,"structured_content":null,"type":"tool_result"',
    );
    expect(recordOf(text).messages).toEqual(recordOf(AGENT).messages);
  });

  test('messages in the normal form', () => {
    expect(recordOf(AGENT).messages.slice(2)).toEqual([
      {
        role: 'assistant',
        content: 'Checking.',
        toolCalls: [
          { id: 'call_1', name: 'get_invoice', arguments: '{"order_id":"ORD-4471"}' },
          { id: 'call_2', name: 'issue_refund', arguments: '{"amount_cents":12900,"order_id":"ORD-4471"}' },
        ],
        toolCallId: null,
      },
      { role: 'tool', content: '{"paid_cents":12900}', toolCalls: [], toolCallId: 'call_1' },
      { role: 'tool', content: 'card network unavailable', toolCalls: [], toolCallId: 'call_2' },
    ]);
  });

  test('every kind of content is read; what a model here does not get is told', () => {
    const parts = [
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
      { type: 'image', source: { type: 'url', url: 'https://x.invalid/i.png', media_type: null } },
      { type: 'audio', source: { type: 'base64', media_type: 'audio/wav', data: 'AAAA' } },
      { type: 'document', source: { type: 'provider_file', provider: 'p', file_id: 'f' }, name: null },
      {
        type: 'document',
        name: 'terms.pdf',
        source: {
          type: 'artifact',
          reference: {
            scope: 'tenant:7',
            artifact_id: 'a',
            media_type: 'application/pdf',
            size_bytes: 9,
            sha256: 'x',
            name: null,
            created_at_unix_ms: 1,
            expires_at_unix_ms: null,
          },
        },
      },
      { type: 'resource_link', uri: 'file:///r', name: 'r', title: null, description: null, media_type: null, size: 3 },
      {
        type: 'reasoning',
        text: 'hm',
        signature: 's',
        redacted: false,
        provider_data: [{ provider: 'p', kind: 'k', value: 1 }],
      },
      { type: 'refusal', text: 'no' },
      { type: 'citation', uri: null, title: 't', start: 0, end: 1 },
      { type: 'provider_opaque', provider: 'p', kind: 'k', value: { x: [1] } },
    ];
    const text = changed(AGENT, '[{"text":"Refund ORD-4471","type":"text"}]', JSON.stringify(parts));
    const record = recordOf(text);
    expect(record.messages[1]?.content).toBe(
      'a\nb\n[image: url]\n[audio: base64]\n[document: provider_file]\n[document: terms.pdf]\n[resource_link: file:///r]\nno',
    );
    expect(record.warnings).toEqual([
      expect.objectContaining({ code: 'content_not_text', path: 'payload.transcript[1]', blocksApproval: false }),
    ]);
  });

  test('an artifact whose scope runifold refuses is refused', () => {
    const source =
      '{"type":"artifact","reference":{"scope":"a b","artifact_id":"a","media_type":"m","size_bytes":1,"sha256":"x","name":null,"created_at_unix_ms":1,"expires_at_unix_ms":null}}';
    const text = changed(AGENT, '{"text":"Refund ORD-4471","type":"text"}', `{"type":"image","source":${source}}`);
    expect(refusalOf(text).path).toContain('source.reference.scope');
  });

  test('several results in one message are several answers', () => {
    const text = changed(
      AGENT,
      '}],"metadata":{},"role":"tool"},{"content":[{"call_id":"call_2"',
      '},{"call_id":"call_2"',
    );
    expect(recordOf(text).messages).toEqual(recordOf(AGENT).messages);
    expect(codes(text)).toEqual([]);
  });

  test('C50 C49 the original argument text counts where it says the same, and where it is no JSON at all', () => {
    const same = changed(
      AGENT,
      '"name":"issue_refund","raw_arguments":null',
      '"name":"issue_refund","raw_arguments":"{ \\"order_id\\":\\"ORD-4471\\",\\"amount_cents\\":12900 }"',
    );
    expect(recordOf(same).messages[2]?.toolCalls[1]?.arguments).toBe('{ "order_id":"ORD-4471","amount_cents":12900 }');
    const other = changed(
      AGENT,
      '"name":"issue_refund","raw_arguments":null',
      '"name":"issue_refund","raw_arguments":"{\\"amount_cents\\":1}"',
    );
    expect(recordOf(other).messages[2]?.toolCalls[1]?.arguments).toBe('{"amount_cents":12900,"order_id":"ORD-4471"}');
    const cut = changed(
      changed(AGENT, '"arguments":{"amount_cents":12900,"order_id":"ORD-4471"}', '"arguments":"{\\"amount"'),
      '"name":"issue_refund","raw_arguments":null',
      '"name":"issue_refund","raw_arguments":"{\\"amount"',
    );
    expect(recordOf(cut).messages[2]?.toolCalls[1]?.arguments).toBe('{"amount');
    expect(recordOf(cut).warnings).toEqual([
      expect.objectContaining({ code: 'history_arguments', path: 'payload.transcript[2]', blocksApproval: false }),
    ]);
  });

  test('C42 C46 typed envelopes, constructor records and odd keys stay plain data', () => {
    const gadget =
      '{"lc":2,"type":"constructor","id":["x"],"then":"y","toJSON":"x","__proto__":{"a":1},"constructor":{"name":"Function"},"n":2512292042121000001,"f":1.0}';
    const text = changed(AGENT, '"arguments":{"amount_cents":12900,"order_id":"ORD-4471"}', `"arguments":${gadget}`);
    expect(recordOf(text).messages[2]?.toolCalls[1]?.arguments).toBe(gadget);
    expect(codes(text)).toEqual([]);
  });

  test('I7 C30 calls of the transcript that nothing answers are told', () => {
    const cut = changed(AGENT, ',{"content":[{"call_id":"call_2"', ',{"content":[{"call_id":"call_9"');
    expect(codes(cut)).toEqual(['transcript_unanswered', 'transcript_stray_answer']);
    expect(recordOf(cut).warnings[0]).toMatchObject({ path: 'payload.transcript[2]' });
  });
});

describe('what runifold checks later is told now', () => {
  test('R3 an in-flight turn other than the one after those completed', () => {
    const text = changed(fixture('04-turn-2-in-flight.json'), '"turn":2', '"turn":3');
    expect(recordOf(text).warnings).toContainEqual(
      expect.objectContaining({ code: 'turn_mismatch', path: 'payload.phase.turn', blocksApproval: true }),
    );
    expect(recordOf(text).classification).toBe('in flight: turn 3 may have run');
    expect(codes(fixture('04-turn-2-in-flight.json'))).toEqual(['ambiguous_turn']);
  });

  test('R10 a namespace that no constructor makes, and a prefix that leaves nothing to append', () => {
    const text = changed(
      changed(fixture('06-durable-conversation-in-flight.json'), 'tenant.user-7', 'a b'),
      '"persisted_prefix_len":1',
      '"persisted_prefix_len":2',
    );
    expect(codes(text)).toEqual(['ambiguous_turn', 'bad_namespace', 'bad_prefix']);
    expect(
      refusalOf(changed(fixture('06-durable-conversation-in-flight.json'), '0198f0c0-1111', 'x198f0c0-1111')).path,
    ).toBe('payload.durable_conversation.conversation_id');
  });

  test('R1 the last revision cannot go on', () => {
    const record = recordOf(changed(AGENT, '"revision":2', '"revision":18446744073709551615'));
    expect(record.resumable).toBe(false);
    expect(record.warnings).toContainEqual(
      expect.objectContaining({ code: 'revision_overflow', blocksApproval: true }),
    );
  });

  test.each([
    ['"step":"review","wait"', '"step":"draft","wait"', 'payload.phase.step'],
    ['"proposal":{"amount_cents":12900', '"proposal":{"amount_cents":1', 'payload.phase.wait.request.proposal'],
    ['"outputs":{"draft":', '"outputs":{"charge":', 'payload.outputs'],
    ['"next_index":1', '"next_index":4', 'payload.next_index'],
  ])('R15 a workflow that contradicts itself: %s', (was, is, path) => {
    const blocking = recordOf(changed(WORKFLOW, was, is)).warnings.filter(({ blocksApproval }) => blocksApproval);
    expect(blocking.map((warning) => [warning.code, warning.path])).toContainEqual(['identity_mismatch', path]);
    expect(codes(WORKFLOW)).toEqual([]);
  });

  test('R12 a prompt that no constructor makes', () => {
    expect(codes(changed(WORKFLOW, 'Approve this refund?', '  '))).toEqual(['bad_prompt']);
    expect(codes(changed(WORKFLOW, 'Approve this refund?', 'é'.repeat(8_193)))).toEqual(['bad_prompt']);
    expect(codes(changed(WORKFLOW, 'Approve this refund?', 'é'.repeat(8_192)))).toEqual([]);
  });
});

describe('5.4 the workflow payload', () => {
  test('an interrupt is one pending item: the proposal byte for byte, under the interrupt id', () => {
    const proposal = '{ "b":1.0, "a":[2512292042121000001] }';
    const text = WORKFLOW.replaceAll('{"amount_cents":12900,"order_id":"ORD-4471"}', proposal);
    const record = recordOf(text);
    expect(record).toMatchObject({ state: 'waiting', resumable: true, messages: [] });
    expect(record.pending).toMatchObject([
      { index: 0, id: '0198f0c5-bbbb-7ccc-8ddd-eeeeffff0001', name: 'review/interrupt', arguments: proposal },
    ]);
    expect(record.onlyHandedOver).toContain('worker');
    expect(recordOf(AGENT).onlyHandedOver).toBeUndefined();
    expect(codes(text)).toEqual(['integer_past_2_53']);
  });

  test('C54 a repeated key in the proposal blocks', () => {
    const text = WORKFLOW.replaceAll('"amount_cents":12900', '"amount_cents":1,"amount_cents":12900');
    const found = recordOf(text).warnings.filter(({ code }) => code === 'duplicate_key');
    expect(found.every(({ blocksApproval }) => blocksApproval)).toBe(true);
    expect(found.filter(({ path }) => path === 'payload.phase.wait.request.proposal')).toHaveLength(1);
  });

  test('a proposal may be any value: what a tool server would say of it is not told', () => {
    for (const value of ['null', '""', '[1]', '"{}"', '3']) {
      const text = WORKFLOW.replaceAll('{"amount_cents":12900,"order_id":"ORD-4471"}', value);
      expect(recordOf(text).pending?.[0]?.arguments).toBe(value);
      expect(codes(text)).toEqual([]);
    }
  });

  const PHASE = /"phase":\{.*?\}\}\},"usage"/;
  const inPhase = (phase: string): string => {
    expect(WORKFLOW).toMatch(PHASE);
    return WORKFLOW.replace(PHASE, `"phase":${phase},"usage"`);
  };

  test.each([
    ['{"state":"waiting","step":"review","wait":{"kind":"signal","name":"paid"}}', 'running', false, 'the signal paid'],
    [
      '{"state":"waiting","step":"review","wait":{"kind":"signal_or_timeout","name":"paid","timeout_ms":5}}',
      'running',
      false,
      'a timeout (5 ms)',
    ],
    [
      '{"state":"parallel_in_flight","step":"review","branches":{"a":{"state":"completed","output":1},"b":{"state":"in_flight"}}}',
      'in_flight',
      false,
      'may have run',
    ],
    [
      '{"state":"parallel_in_flight","step":"review","branches":{"a":{"state":"completed","output":1}}}',
      'running',
      true,
      'is settled',
    ],
    [
      '{"state":"race_in_flight","step":"review","branches":{"a":{"state":"failed","message":"m"},"b":{"state":"in_flight"}}}',
      'in_flight',
      false,
      'may have run',
    ],
    [
      '{"state":"race_in_flight","step":"review","branches":{"a":{"state":"completed","output":1},"b":{"state":"cancelled"}}}',
      'running',
      true,
      'is settled',
    ],
    ['{"state":"ready"}', 'running', true, 'ready for step review'],
  ])('%s', (phase, state, resumable, words) => {
    const record = recordOf(inPhase(phase));
    expect(record).toMatchObject({ state, resumable, pending: null });
    expect(record.classification).toContain(words);
  });

  test.each([
    ['{"state":"sleeping"}', 'payload.phase.state'],
    ['{"state":"waiting","step":"review","wait":{"kind":"poll"}}', 'payload.phase.wait.kind'],
    ['{"state":"waiting","step":"review","wait":{"kind":"timer","delay_ms":1.5}}', 'payload.phase.wait.delay_ms'],
    [
      '{"state":"waiting","step":"review","wait":{"kind":"interrupt","request":{"interrupt_id":"i","prompt":"p","proposal":1}}}',
      'payload.phase.wait.request.interrupt_id',
    ],
    [
      '{"state":"parallel_in_flight","step":"review","branches":{"a":{"state":"gone"}}}',
      'payload.phase.branches.a.state',
    ],
  ])('%s is refused', (phase, path) => {
    expect(refusalOf(inPhase(phase))).toMatchObject({ system: 'runifold', path });
  });
});
