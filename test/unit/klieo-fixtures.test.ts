import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { decisionFromText, decisionToText } from '../../electron/formats/klieo/decision-text.js';
import { klieo } from '../../electron/formats/klieo.js';
import { inspectJson, readRecord } from '../../electron/formats/read-record.js';
import { member, raw, readJsonText } from '../../shared/json.js';
import { rejectionText } from '../../shared/transcript.js';

const FOLDER = new URL('../fixtures/klieo/', import.meta.url);
const bytesOf = (file: string): Uint8Array => readFileSync(new URL(file, FOLDER));

interface Fixture {
  file: string;
  bytes: number;
  upstream: { verdict: 'accept' | 'refuse' };
  expect: {
    pending?: { id: string; name: string }[];
    latched?: boolean | string;
    readable?: boolean;
    args_raw?: Record<string, string>;
    created_at_ns?: string;
    must_preserve?: string[];
    decision?: 'approve' | 'reject' | null;
    tool_message?: string;
  };
}
const index: { fixtures: Fixture[] } = JSON.parse(readFileSync(new URL('index.json', FOLDER), 'utf8'));
const records = index.fixtures.filter(({ file }) => !file.startsWith('decision-'));
const decisions = index.fixtures.filter(({ file }) => file.startsWith('decision-'));

function recordOf(file: string) {
  const read = readRecord(bytesOf(file));
  if (!read.ok) throw new Error(read.refusal.text);
  return read.record;
}

test('the fixtures are the bytes that index.json names', () => {
  expect(records.length).toBe(17);
  for (const { file, bytes } of index.fixtures) expect([file, bytesOf(file).length]).toEqual([file, bytes]);
});

describe.each(records)('klieo $file', (fixture) => {
  const bytes = bytesOf(fixture.file);
  const read = readRecord(bytes);

  test('H5 is read exactly when its own system reads it', () => {
    expect(read.ok).toBe(fixture.upstream.verdict === 'accept');
    expect(read.ok).toBe(fixture.expect.readable ?? true);
  });

  test('inspect prints its right reading', () => {
    const printed = JSON.parse(inspectJson(bytes));
    expect(Object.keys(printed)).toEqual([
      'system',
      'runId',
      'checkpointId',
      'threadId',
      'revision',
      'createdAt',
      'updatedAt',
      'completedStep',
      'resumeStep',
      'state',
      'resumable',
      'pending',
      'messages',
      'warnings',
      'refusal',
    ]);
    if (!read.ok) {
      expect(printed).toMatchObject({ state: 'unreadable', resumable: false, pending: [], refusal: read.refusal });
      return;
    }
    const latched = fixture.expect.latched === true;
    expect(printed).toMatchObject({
      system: 'klieo',
      state: latched ? 'latched' : 'waiting',
      resumable: !latched,
      refusal: null,
      messages: read.record.messages.length,
    });
    expect(printed.resumeStep).toBe(printed.completedStep + 1);
    expect(printed.pending.map(({ id, name }: { id: string; name: string }) => ({ id, name }))).toEqual(
      fixture.expect.pending,
    );
  });

  test('I6 the text forms of what must survive are untouched by latching', () => {
    if (!read.ok) return;
    const document = readJsonText(new TextDecoder().decode(klieo.latchedView(bytes)));
    if (!document.ok) throw new Error(document.fault.text);
    const { text, root } = document;
    expect(member(root, 'resume_attempted')).toMatchObject({ value: true });
    for (const key of fixture.expect.must_preserve ?? []) expect(member(root, key)).toBeDefined();
    const args = member(root, 'pending_tool_calls');
    if (args?.kind === 'array') {
      expect(args.items.map((item) => raw(text, member(item, 'args') ?? item))).toEqual(
        read.record.pending?.map((call) => call.arguments),
      );
    }
  });
});

describe('single readings', () => {
  test.each([
    ['07-corrupt-not-json.json', 'unknown', 'syntax', 'line 1, column 1'],
    ['09-duplicate-latch-key.json', 'klieo', 'duplicate_key', 'duplicate key resume_attempted at top level'],
    ['10-latch-null.json', 'klieo', 'wrong_type', 'resume_attempted must be true or false, not null'],
    ['15-bad-run-id.json', 'klieo', 'bad_run_id', '26 characters, this has 36'],
    [
      '19-bad-role.json',
      'klieo',
      'wrong_type',
      'messages[0].role must be one of system, user, assistant, tool, not "User"',
    ],
  ])('%s is refused with field and place', (file, system, code, words) => {
    const read = readRecord(bytesOf(file));
    if (read.ok) throw new Error('accepted');
    expect(read.system).toBe(system);
    expect(read.refusal.code).toBe(code);
    expect(read.refusal.text).toContain(words);
    expect(read.refusal).toMatchObject({ line: 1, offset: expect.any(Number), column: expect.any(Number) });
  });

  test('03: null says that no list of calls belongs to the stop (K2); 17: the empty list is not null', () => {
    expect(recordOf('03-no-pending.json').pending).toBeNull();
    expect(recordOf('17-pending-empty-list.json').pending).toEqual([]);
  });

  test('11: number texts as written', () => {
    const call = recordOf('11-big-integer-args.json').pending?.[0];
    const args = readJsonText(call?.arguments ?? '');
    if (!args.ok || args.root.kind !== 'object') throw new Error('no arguments');
    const texts = Object.fromEntries(args.root.entries.map(({ key, value }) => [key, raw(args.text, value)]));
    expect(texts).toEqual(records.find(({ file }) => file.startsWith('11'))?.expect.args_raw);
  });

  test('12: all nine digits; 13: an offset is the same instant in UTC; 20: whole seconds', () => {
    expect(recordOf('12-nanosecond-created-at.json').createdAtNs).toBe(1784538843482917651n);
    expect(recordOf('12-nanosecond-created-at.json').createdAt).toBe('2026-07-20T09:14:03.482917651Z');
    expect(recordOf('13-offset-created-at.json').createdAt).toBe('2026-07-20T09:14:03.482917Z');
    expect(recordOf('20-old-abandoned.json').createdAt).toMatch(/T\d\d:\d\d:\d\dZ$/);
  });

  test('06: a record from before the flag is waiting, and gets it where klieo writes it', () => {
    const bytes = bytesOf('06-legacy-without-latch-field.json');
    const text = new TextDecoder().decode(bytes);
    const latched = new TextDecoder().decode(klieo.latchedView(bytes));
    expect(recordOf('06-legacy-without-latch-field.json').state).toBe('waiting');
    expect(latched).toBe(text.replace('"created_at":', '"resume_attempted":true,"created_at":'));
  });

  test('H4 a waiting klieo record says that it may have been answered already; a latched one does not', () => {
    const codes = (file: string): string[] => recordOf(file).warnings.map((warning) => warning.code);
    expect(codes('01-first-attempt-one-pending.json')).toEqual(['may_have_been_answered']);
    expect(codes('04-latched.json')).toEqual([]);
    expect(codes('11-big-integer-args.json')).toContain('history_may_be_cut');
  });
});

describe.each(decisions)('klieo $file', ({ file, expect: right }) => {
  const text = readFileSync(new URL(file, FOLDER), 'utf8');
  const decision = decisionFromText(text);

  test('ApprovalDecision in and out', () => {
    if (right.decision === null) {
      expect(decision).toMatchObject({ ok: false, refusal: { code: 'unreadable' } });
      return;
    }
    if (!decision.ok) throw new Error(decision.refusal.text);
    expect(decision.value.verdict).toBe(right.decision);
    expect(decisionToText(decision.value)).toBe(text);
    if (decision.value.verdict === 'reject') {
      expect(rejectionText(decision.value.reason).startsWith(right.tool_message ?? 'missing')).toBe(true);
    }
  });
});

test.each([
  '"Rejected"',
  '{"Rejected":{}}',
  '{"Rejected":{"reason":null}}',
  '{"Rejected":{"reason":"a","reason":"b"}}',
  '{"Rejected":{"reason":"a"},"Approved":null}',
  '{"Approved":null}',
  '["Rejected","x"]',
  'null',
  '"Approved" ,',
])('no decision: %s', (text) => {
  expect(decisionFromText(text)).toMatchObject({ ok: false, refusal: { code: 'unreadable' } });
});
