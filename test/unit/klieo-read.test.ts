import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { klieo } from '../../electron/formats/klieo.js';
import { inspectJson, MAX_RECORD_BYTES, readRecord } from '../../electron/formats/read-record.js';

const CASES = new URL('../fixtures/cases/', import.meta.url);
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

function caseFile(id: string, file: string): Uint8Array {
  const folder = readdirSync(CASES).find((name) => name.startsWith(`${id}-`));
  return readFileSync(new URL(`${folder}/${file}`, CASES));
}

function recordOf(bytes: Uint8Array) {
  const read = readRecord(bytes);
  if (!read.ok) throw new Error(read.refusal.text);
  return read.record;
}

function refusalOf(bytes: Uint8Array) {
  const read = readRecord(bytes);
  if (read.ok) throw new Error('accepted');
  return { ...read.refusal, system: read.system };
}

const FIELDS: Record<string, string> = {
  run_id: '"01K0QZ6V5M3H8D7N2B4C9F1XGA"',
  step_index: '2',
  thread_id: '"t"',
  messages: '[{"role":"user","content":"go"}]',
  pending_tool_calls: '[{"id":"c1","name":"issue_refund","args":{"x":1}}]',
  resume_attempted: 'false',
  created_at: '"2026-07-20T09:14:03.482917Z"',
};

/** A record with some fields replaced by other JSON text; null leaves one out. */
function recordText(changes: Record<string, string | null> = {}): Uint8Array {
  const fields = Object.entries({ ...FIELDS, ...changes }).filter(([, value]) => value !== null);
  return bytesOf(`{${fields.map(([key, value]) => `"${key}":${value}`).join(',')}}`);
}

describe('required fields and types', () => {
  test.each(['run_id', 'step_index', 'thread_id', 'messages', 'created_at'])(
    '%s missing is refused with its name',
    (field) => {
      expect(refusalOf(recordText({ [field]: null }))).toMatchObject({
        system: 'klieo',
        code: 'missing_field',
        path: field,
      });
      expect(refusalOf(recordText({ [field]: null })).text).toContain(`${field} is missing`);
    },
  );

  test('J4 absent is the default: no list of calls, not latched, no calls in a message', () => {
    const record = recordOf(recordText({ pending_tool_calls: null, resume_attempted: null }));
    expect(record).toMatchObject({ pending: null, state: 'waiting' });
    expect(record.messages).toEqual([{ role: 'user', content: 'go', toolCalls: [], toolCallId: null }]);
  });

  test.each<[string, string, string]>([
    ['run_id', '7', 'run_id must be a text, not 7'],
    ['thread_id', 'null', 'thread_id must be a text, not null'],
    ['messages', 'null', 'messages must be a list, not null'],
    ['messages', '{}', 'messages must be a list, not an object'],
    ['messages', '[["user","go"]]', 'messages[0] must be an object, not a list'],
    ['messages', '[{"role":"user"}]', 'messages[0].content is missing'],
    ['messages', '[{"role":"user","content":null}]', 'messages[0].content must be a text, not null'],
    [
      'messages',
      '[{"role":"user","content":"x","tool_calls":null}]',
      'messages[0].tool_calls must be a list, not null',
    ],
    [
      'messages',
      '[{"role":"user","content":"x","tool_call_id":3}]',
      'messages[0].tool_call_id must be a text or null, not 3',
    ],
    [
      'messages',
      '[{"role":"developer","content":"x"}]',
      'must be one of system, user, assistant, tool, not "developer"',
    ],
    ['pending_tool_calls', '{}', 'pending_tool_calls must be a list or null, not an object'],
    ['pending_tool_calls', '[["c1","t",{}]]', 'pending_tool_calls[0] must be an object, not a list'],
    ['pending_tool_calls', '[{"id":"c1","name":"t"}]', 'pending_tool_calls[0].args is missing'],
    ['pending_tool_calls', '[{"id":null,"name":"t","args":{}}]', 'pending_tool_calls[0].id must be a text, not null'],
    ['pending_tool_calls', '[{"id":"c","name":5,"args":{}}]', 'pending_tool_calls[0].name must be a text, not 5'],
    ['resume_attempted', 'null', 'resume_attempted must be true or false, not null'],
    ['resume_attempted', '"false"', 'resume_attempted must be true or false, not "false"'],
    ['created_at', '1784538843', 'created_at must be a text, not 1784538843'],
    ['created_at', '"2026-07-20"', 'created_at: "2026-07-20" has no time of day'],
  ])('%s = %s', (field, value, words) => {
    const refusal = refusalOf(recordText({ [field]: value }));
    expect(refusal.system).toBe('klieo');
    expect(refusal.text).toContain(words);
    expect(refusal.path.startsWith(field)).toBe(true);
  });

  test('J8 a positional list is no record', () => {
    expect(klieo.read(bytesOf(`[${Object.values(FIELDS).join(',')}]`))).toMatchObject({
      ok: false,
      refusal: { text: expect.stringContaining('the record must be an object, not a list') },
    });
  });

  test('the place is that of the value', () => {
    const bytes = bytesOf(new TextDecoder().decode(recordText({ step_index: '2.5' })).replaceAll(',"', ',\n "'));
    expect(refusalOf(bytes)).toMatchObject({
      line: 2,
      column: 15,
      text: expect.stringMatching(/^line 2, column 15: step_index must/),
    });
  });

  test('a run id in lower case is the same run, upper case (J10)', () => {
    expect(recordOf(recordText({ run_id: '"01k0qz6v5m3h8d7n2b4c9f1xga"' })).runId).toBe('01K0QZ6V5M3H8D7N2B4C9F1XGA');
  });

  test('a key called __proto__ is an unknown key like any other', () => {
    const bytes = bytesOf(`{"__proto__":{"run_id":1},${new TextDecoder().decode(recordText()).slice(1)}`);
    expect(recordOf(bytes).runId).toBe('01K0QZ6V5M3H8D7N2B4C9F1XGA');
  });
});

describe('C37 the step', () => {
  test.each([null, '0', '-1', '2.5', '"3"', '3.0', '3e0', '-0', '4294967296', 'null', '[3]'])(
    'step_index %s is refused with the field named',
    (step) => {
      const refusal = refusalOf(recordText({ step_index: step }));
      expect(refusal.path).toBe('step_index');
      expect(refusal.text).toContain('step_index');
    },
  );

  test.each(['1', '4294967295'])('step_index %s is taken', (step) => {
    expect(recordOf(recordText({ step_index: step })).resumeStep).toBe(Number(step));
  });

  test('the run goes on at step 3, and only s3 is pending', () => {
    const record = recordOf(caseFile('C37', 'checkpoint.json'));
    expect(record).toMatchObject({ resumeStep: 3, completedStep: 2 });
    expect(record.pending?.map((call) => call.id)).toEqual(['s3']);
  });
});

describe('C54 duplicate keys', () => {
  test('in the arguments: readable, each key named, approving blocked', () => {
    const blocking = recordOf(caseFile('C54', 'checkpoint.json')).warnings.filter((warning) => warning.blocksApproval);
    expect(blocking.map(({ path, text }) => [path, text.split(':')[0]])).toEqual([
      ['pending_tool_calls[0].args', 'duplicate key amount in pending_tool_calls[0].args'],
      ['pending_tool_calls[0].args', 'duplicate key to in pending_tool_calls[0].args'],
    ]);
  });

  test('at top level: unreadable, hence not approvable', () => {
    const refusal = refusalOf(caseFile('C54', 'checkpoint-toplevel.json'));
    expect(refusal).toMatchObject({ system: 'klieo', code: 'duplicate_key', path: '' });
    expect(refusal.text).toContain('duplicate key resume_attempted at top level');
    expect(refusal.text).toContain('duplicate key pending_tool_calls at top level');
  });

  test.each<[string, string, string]>([
    ['messages', '[{"role":"user","content":"a","content":"b"}]', 'duplicate key content in messages[0]'],
    [
      'messages',
      '[{"role":"assistant","content":"","tool_calls":[{"id":"a","id":"b","name":"t","args":{}}]}]',
      'duplicate key id in messages[0].tool_calls[0]',
    ],
    [
      'pending_tool_calls',
      '[{"id":"a","name":"t","n\\u0061me":"u","args":{}}]',
      'duplicate key name in pending_tool_calls[0]',
    ],
  ])('wherever klieo decodes a struct (%s): unreadable', (field, value, words) => {
    const refusal = refusalOf(recordText({ [field]: value }));
    expect(refusal.code).toBe('duplicate_key');
    expect(refusal.text).toContain(words);
  });

  test('elsewhere, in history and unknown fields: readable, approving blocked (I5)', () => {
    const messages =
      '[{"role":"assistant","content":"","tool_calls":[{"id":"a","name":"t","args":{"k":1,"k":2}}]},{"role":"tool","content":"r","tool_call_id":"a"}]';
    const record = recordOf(recordText({ messages, review: '{"x":{"y":1,"y":2}}' }));
    expect(record.warnings.filter(({ code }) => code === 'duplicate_key')).toMatchObject([
      { path: 'messages[0].tool_calls[0].args', blocksApproval: true },
      { path: 'review.x', blocksApproval: true },
    ]);
  });
});

describe('ids', () => {
  test('C09 both calls are there, the warning names the two, and approving is blocked', () => {
    const record = recordOf(caseFile('C09', 'checkpoint.json'));
    expect(record.pending?.map(({ index, id, name }) => ({ index, id, name }))).toEqual([
      { index: 0, id: 'call_1', name: 'delete_file' },
      { index: 1, id: 'call_1', name: 'send_payment' },
    ]);
    const collide = record.warnings.find((warning) => warning.code === 'ids_collide');
    expect(collide).toMatchObject({
      blocksApproval: true,
      text: expect.stringContaining('ids collide: calls 1 (delete_file) and 2 (send_payment)'),
    });
  });

  test('C11 klieo requires an id: absent or null is unreadable, and the reason names the place', () => {
    const refusal = refusalOf(caseFile('C11', 'checkpoint.json'));
    expect(refusal.text).toContain('messages[1].tool_calls[1].id is missing');
  });

  test('H8 empty ids are told, do not collide, and block nothing', () => {
    const record = recordOf(
      recordText({ pending_tool_calls: '[{"id":"","name":"a","args":{}},{"id":"","name":"b","args":{}}]' }),
    );
    const warnings = record.warnings.filter(({ code }) => code === 'empty_id' || code === 'ids_collide');
    expect(warnings.map(({ code, path, blocksApproval }) => ({ code, path, blocksApproval }))).toEqual([
      { code: 'empty_id', path: 'pending_tool_calls[0].id', blocksApproval: false },
      { code: 'empty_id', path: 'pending_tool_calls[1].id', blocksApproval: false },
    ]);
    expect(record.pending?.map((call) => call.id)).toEqual(['', '']);
  });
});

describe('the conversation', () => {
  test('C30 marks the transcript: toolu_old unanswered, message 1; approving is left to the repair', () => {
    const warning = recordOf(caseFile('C30', 'checkpoint.json')).warnings.find(
      ({ code }) => code === 'transcript_unanswered',
    );
    expect(warning).toMatchObject({ path: 'messages[1]', blocksApproval: false });
    expect(warning?.text).toContain('not resumable as it is');
    expect(warning?.text).toContain('toolu_old');
  });

  test('I5 a history that asks for other arguments under the same id blocks approving', () => {
    const messages =
      '[{"role":"assistant","content":"","tool_calls":[{"id":"c1","name":"issue_refund","args":{"x":2}}]}]';
    const warning = recordOf(recordText({ messages })).warnings.find(({ code }) => code === 'transcript_broken');
    expect(warning).toMatchObject({
      blocksApproval: true,
      text: expect.stringContaining('pending call 1 (issue_refund)'),
    });
  });

  test('H7 a pending call that has its answer is told', () => {
    const messages =
      '[{"role":"assistant","content":"","tool_calls":[{"id":"c1","name":"issue_refund","args":{ "x": 1 }}]},{"role":"tool","content":"done","tool_call_id":"c1"}]';
    expect(recordOf(recordText({ messages })).warnings).toContainEqual(
      expect.objectContaining({ code: 'already_answered', path: 'pending_tool_calls[0]' }),
    );
  });
});

describe('arguments', () => {
  test('C47 the original stays "" or null, and the card is told', () => {
    const [empty, missing] = ['checkpoint.json', 'checkpoint-missing.json'].map((file) =>
      recordOf(caseFile('C47', file)),
    );
    expect([empty?.pending?.[0]?.arguments, missing?.pending?.[0]?.arguments]).toEqual(['""', 'null']);
    const texts = [empty, missing].map(
      (record) => record?.warnings.find(({ code }) => code === 'arguments_empty')?.text,
    );
    expect(texts[0]).toContain('no arguments (empty string received)');
    expect(texts[1]).toContain('no arguments (null received)');
    expect([empty, missing].every((record) => record?.warnings.every((warning) => !warning.blocksApproval))).toBe(true);
  });

  test('C50 a record with 1e400 is unreadable, and the reason names the value', () => {
    expect(refusalOf(caseFile('C50', 'checkpoint.json'))).toMatchObject({
      code: 'number_overflow',
      path: 'pending_tool_calls[0].args.exp',
    });
  });

  test('C50 without it every digit stays as written', () => {
    const text = new TextDecoder().decode(caseFile('C50', 'checkpoint.json')).replace('"exp":1e400,', '');
    const record = recordOf(bytesOf(text));
    expect(record.pending?.[0]?.arguments).toBe(
      '{"id":2512292042121000001,"neg":-9007199254740993,"price":0.1000000000000000055511151231257827,"tiny":1.0,"big":12345678901234567890123,"fields":{"ok":true}}',
    );
    const unsafe = record.warnings.filter(({ code }) => code === 'integer_past_2_53');
    expect(unsafe.map(({ path }) => path)).toEqual(
      ['id', 'neg', 'big'].map((key) => `pending_tool_calls[0].args.${key}`),
    );
    expect(unsafe[0]?.text).toContain('2512292042121000001');
  });

  test('C52 placeholders are literal text, and the producer may have cut data', () => {
    const record = recordOf(caseFile('C52', 'checkpoint.json'));
    const hints = record.warnings.filter(({ code }) => code === 'placeholder');
    expect(hints.map(({ path }) => path)).toEqual(
      ['self', 'p', 't'].map((key) => `pending_tool_calls[0].args.fields.${key}`),
    );
    expect(hints[0]).toMatchObject({
      blocksApproval: false,
      text: expect.stringContaining('[Circular] is literal text'),
    });
    expect(hints[0]?.text).toContain('the producer may have cut data');
  });

  test.each(['a-string', 'b-list', 'c-number', 'd-encoded', 'e-double'])(
    'C56 %s is read, and keeps its form',
    (name) => {
      const bytes = caseFile('C56', `${name}.json`);
      const written = recordOf(bytes).pending?.[0]?.arguments ?? '';
      expect(new TextDecoder().decode(bytes)).toContain(`"args":${written}}`);
      expect(new TextDecoder().decode(klieo.latchedView(bytes))).toContain(`"args":${written}}`);
    },
  );
});

describe('C71 times', () => {
  test('b, c and e are one instant; a and d are unreadable for want of a zone', () => {
    const instants = ['b-offset', 'c-neg', 'e-z'].map((name) => recordOf(caseFile('C71', `${name}.json`)).createdAtNs);
    expect(new Set(instants)).toEqual(new Set([1772366400000000000n]));
    for (const name of ['a-naive', 'd-dst']) {
      expect(refusalOf(caseFile('C71', `${name}.json`))).toMatchObject({ code: 'bad_time', path: 'created_at' });
      expect(refusalOf(caseFile('C71', `${name}.json`)).text).toContain('no time zone in the record');
    }
  });
});

describe('C78 C80 C87 what is no record', () => {
  test.each([
    ['C78', 'store/empty.json', 'empty'],
    ['C78', 'store/blank.json', 'empty'],
    ['C78', 'store/null.json', 'unknown_format'],
    ['C80', 'bom-crlf.json', 'bom'],
    ['C80', 'utf16le.json', 'utf16'],
    ['C80', 'latin1.json', 'not_utf8'],
    ['C80', 'overlong.json', 'not_utf8'],
    ['C80', 'lone-surrogate.json', 'lone_surrogate'],
  ])('%s %s', (id, file, code) => {
    const bytes = caseFile(id, file);
    expect(refusalOf(bytes)).toMatchObject({ system: 'unknown', code });
    expect(JSON.parse(inspectJson(bytes))).toMatchObject({
      system: 'unknown',
      runId: null,
      state: 'unreadable',
      refusal: { code },
    });
  });

  test('C78 the good one is read', () => {
    expect(recordOf(caseFile('C78', 'store/good.json')).state).toBe('waiting');
  });

  const ids: string[] = JSON.parse(new TextDecoder().decode(caseFile('C87', 'ids.json')));

  test.each(ids)('C87 %j as run id is refused with the id shown; as thread id it is text', (id) => {
    const refusal = refusalOf(recordText({ run_id: JSON.stringify(id) }));
    expect(refusal).toMatchObject({ code: 'bad_run_id', path: 'run_id' });
    expect(refusal.text).toContain(JSON.stringify(id));
    expect(recordOf(recordText({ thread_id: JSON.stringify(id) })).threadId).toBe(id);
  });

  test('a record above the limit is refused unread', () => {
    expect(refusalOf(new Uint8Array(MAX_RECORD_BYTES + 1))).toMatchObject({ code: 'too_large', offset: null });
  });

  test('the rule that told the system is named', () => {
    const read = readRecord(recordText());
    expect(read.ok && read.rule).toContain('step_index');
  });
});

test('I5 any cut of a record is refused, none is guessed at', () => {
  const whole = recordText();
  fc.assert(
    fc.property(fc.integer({ min: 0, max: whole.length - 1 }), (length) => {
      expect(readRecord(whole.subarray(0, length)).ok).toBe(false);
    }),
  );
});
