import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { inspectJson, readRecord } from '../../electron/formats/read-record.js';
import { readApproval, resumesAs, writeApproval } from '../../electron/formats/starweaver/approval-record.js';
import { meaningOf, readClaim, writeClaim } from '../../electron/formats/starweaver/claim.js';
import { decisionFromText, decisionToText } from '../../electron/formats/starweaver/decision.js';
import { readDeferred, resultOf, writeDeferred } from '../../electron/formats/starweaver/deferred-record.js';
import { starweaver } from '../../electron/formats/starweaver.js';
import { fixture, RUN, recordOf, refusalOf, textOf } from '../helpers/starweaver.js';

interface Call {
  id: string;
  name: string;
}
interface Fixture {
  file: string;
  record: string;
  bytes: number;
  upstream: { verdict: 'accept' | 'refuse'; rewrites_byte_identical?: boolean; error?: string };
  expect: {
    readable?: boolean;
    error?: string;
    suspended?: boolean | string;
    pending_approvals?: Call[];
    approval_ids?: string[];
    pending_deferred?: Call[];
    deferred_ids?: string[];
    already_executed?: Call[];
    terminal?: boolean;
    resumable?: string;
    legacy_bare_v0?: boolean;
    arguments_state?: string;
    status?: string;
    revision?: number;
    expected_revision?: number;
    override_arguments?: boolean;
    decidable?: boolean;
    resumes_as?: string;
    releasable?: boolean;
    effects_possible?: boolean;
    decision?: 'approve' | 'deny';
  };
}
const index: { fixtures: Fixture[] } = JSON.parse(
  readFileSync(new URL('../fixtures/starweaver/index.json', import.meta.url), 'utf8'),
);
const named = (prefix: RegExp): Fixture[] => index.fixtures.filter(({ file }) => prefix.test(file));
const checkpoints = named(/^\d/);

/** The fixtures say "reads" of refusals by starweaver's name and text. */
const errorName = (fixed: Fixture): string => fixed.expect.error?.split(' ')[0] ?? '';

test('the fixtures are the bytes that index.json names', () => {
  expect(checkpoints.length).toBe(15);
  for (const { file, bytes } of index.fixtures) expect([file, fixture(file).length]).toEqual([file, bytes]);
});

describe.each(checkpoints)('starweaver $file', (fixed) => {
  const bytes = fixture(fixed.file);
  const read = readRecord(bytes);
  const right = fixed.expect;

  test('H5 is read exactly when its own system reads it', () => {
    expect(read.ok).toBe(fixed.upstream.verdict === 'accept');
    expect(read.ok).toBe(right.readable ?? true);
    expect(read.ok ? read.format : null).toBe(read.ok ? starweaver : null);
  });

  test('inspect prints its right reading', () => {
    const printed = JSON.parse(inspectJson(bytes));
    if (!read.ok) {
      expect(printed).toMatchObject({ system: 'starweaver', state: 'unreadable', resumable: false, pending: [] });
      expect(read.refusal.code).toBe(errorName(fixed));
      expect(read.refusal.text).toContain(fixed.upstream.error);
      return;
    }
    const { record } = read;
    const calls = (needs: string | undefined) =>
      record.pending?.filter((call) => call.needs === needs).map(({ id, name }) => ({ id, name }));
    expect(calls(undefined)).toEqual(right.pending_approvals);
    expect(calls('result')).toEqual(right.pending_deferred);
    expect(printed.state).toBe(right.terminal ? 'finished' : right.suspended === true ? 'waiting' : 'running');
    expect(printed.resumable).toBe(right.suspended === true && !right.resumable?.startsWith('refused'));
    expect(printed).toMatchObject({ system: 'starweaver', runId: RUN, refusal: null, createdAt: null });
    expect(printed.resumeStep).toBe(printed.completedStep + 1);
    expect(printed.threadId).toMatch(/^conv_/);
    expect(printed.checkpointId).toMatch(/^ckpt_/);
    expect(record.about).toContainEqual({ name: 'status', value: expect.any(String) });
    expect(record.classification).not.toBe('');
  });

  test('H4 S19 what is only read and exported comes back byte for byte', () => {
    expect(starweaver.latchedView(bytes)).toBe(bytes);
    if (read.ok)
      expect(starweaver.handOver(bytes, read.record, noDecision(read.record.runId)).record).toBe(textOf(bytes));
  });
});

function noDecision(runId: string): Parameters<typeof starweaver.handOver>[2] {
  return {
    v: 1,
    decisionId: '01K0QZ6V5M3H8D7N2B4C9F1XGB',
    suspension: { system: 'starweaver', source: 'inbox', runId, seq: 1 },
    resumeStep: 2,
    revision: 1,
    digest: '',
    verdicts: [],
    reviewer: { name: 'ana' },
    decidedAt: '2026-07-20T10:00:00Z',
    notBefore: '2026-07-20T10:00:05Z',
    signatures: [],
  };
}

describe('single readings', () => {
  test('S5 02: the call that already ran is answered in the conversation, and pends nowhere', () => {
    const record = recordOf(fixture('02-waiting-parallel-one-already-executed.json'));
    const [ran] = index.fixtures.find(({ file }) => file.startsWith('02'))?.expect.already_executed ?? [];
    expect(record.messages.at(-1)).toMatchObject({ role: 'tool', toolCallId: ran?.id });
    expect(record.messages[1]?.toolCalls).toHaveLength(3);
    expect(record.warnings).toEqual([]);
  });

  test('S6 14: a list that is filled before the run waits makes nobody wait', () => {
    const record = recordOf(fixture('14-pending-but-status-running.json'));
    expect(record).toMatchObject({ state: 'running', resumable: false });
    expect(record.classification).toBe(
      'not waiting yet: one approval will be needed once the other calls of the batch are done',
    );
  });

  test('S12 03: the deferred call needs a result; no approval while it has none', () => {
    const record = recordOf(fixture('03-waiting-approval-and-deferred.json'));
    expect(record.warnings).toMatchObject([
      { code: 'needs_result', path: 'payload.state.deferred_tool_returns[0]', blocksApproval: false },
    ]);
    expect(record.classification).toBe('waiting for one approval and one result of a deferred call');
    expect(record.about).toContainEqual({ name: 'call 2', value: 'deferred: needs a result' });
  });

  test('S13 12: without the reviewed arguments it is refused under the name of the evidence', () => {
    expect(recordOf(fixture('12-waiting-without-reviewed-arguments.json')).warnings).toMatchObject([
      {
        code: 'MismatchedDecisionEvidence',
        blocksApproval: true,
        text: expect.stringContaining('mismatched reviewed tool arguments'),
      },
    ]);
  });

  test('16: what was no JSON would be executed as the raw text, a string', () => {
    const record = recordOf(fixture('16-invalid-json-arguments.json'));
    expect(record.pending?.[0]?.arguments).toBe(String.raw`"{\"command\": \"ls\""`);
    expect(record.warnings.map(({ code }) => code)).toEqual(['arguments_not_an_object', 'arguments_invalid']);
    expect(record.warnings[1]?.text).toContain('EOF while parsing an object at line 1 column 16');
  });

  test('18: a call is found in either kind of part; pictures are named, bytes are never a conversation', () => {
    const record = recordOf(fixture('18-multimodal-history.json'));
    expect(record.messages.map(({ role, content }) => [role, content])).toEqual([
      ['system', 'Be careful.'],
      [
        'user',
        'What is this?\n[data, image/png: 4 bytes]\n[image: https://example.test/a.png]\n[data, image/png: 30 characters]',
      ],
      ['assistant', ''],
    ]);
    expect(record.messages[2]?.toolCalls).toEqual([
      { id: record.pending?.[0]?.id, name: 'shell_exec', arguments: record.pending?.[0]?.arguments },
    ]);
    expect(record.warnings.map(({ code, blocksApproval }) => [code, blocksApproval])).toEqual([
      ['parts_only_named', false],
      ['parts_only_named', false],
      ['parts_only_named', false],
    ]);
  });

  test.each([
    ['04-running-no-pending.json', 'interrupted after step 0, at before_model_request; nothing waits for a person'],
    [
      '05-completed-with-stale-pending-calls.json',
      'finished; nothing to decide (its last batch still stands in it: one call)',
    ],
    ['06-failed.json', 'failed; nothing to decide'],
  ])('%s: %s', (file, words) => {
    expect(recordOf(fixture(file)).classification).toBe(words);
  });

  test('07: says that it is bare, and how it was known', () => {
    const read = readRecord(fixture('07-bare-v0-waiting.json'));
    if (!read.ok) throw new Error(read.refusal.text);
    expect(read.rule).toBe(
      'starweaver: the top-level keys checkpoint_id, conversation_id, node, run_step, resume, state',
    );
    expect(read.record.about).toContainEqual({ name: 'envelope', value: 'bare v0' });
  });
});

describe.each(named(/^(approval|deferred|claim)-/))('starweaver $file', (fixed) => {
  test('is no checkpoint, and the refusal says what it is', () => {
    const refusal = refusalOf(fixture(fixed.file));
    expect(refusal.system).toBe('starweaver');
    expect(refusal.code).toBe(fixed.file === 'claim-bare.json' ? 'BareV0Unsupported' : 'WrongSchema');
  });
});

describe.each(named(/^approval-/))('starweaver $file', (fixed) => {
  const bytes = fixture(fixed.file);
  const read = readApproval(bytes);

  test('S2 S3 is read, and written as v1: the same bytes where it came as v1', () => {
    if (!read.ok) throw new Error(read.refusal.text);
    const written = writeApproval(read.value);
    if (fixed.upstream.rewrites_byte_identical) expect(textOf(written)).toBe(textOf(bytes));
    else {
      expect(textOf(written)).toMatch(/^\{"schema":"starweaver.session.approval_record","version":1,"payload":\{/);
      expect(JSON.parse(textOf(written)).payload).toEqual({
        ...JSON.parse(textOf(bytes)),
        revision: 1,
        status: 'pending',
      });
      expect(Object.keys(JSON.parse(textOf(written)).payload).slice(0, 2)).toEqual(['approval_id', 'revision']);
    }
    expect(readApproval(written).ok).toBe(true);
  });

  test('S10 says what index.json expects', () => {
    if (!read.ok) throw new Error(read.refusal.text);
    const { status, revision, decision } = read.value;
    const right = fixed.expect;
    if (right.status !== undefined) expect(status).toBe(right.status);
    if (right.decidable !== undefined) expect(status === 'pending').toBe(right.decidable);
    const expected = right.revision ?? right.expected_revision;
    if (expected !== undefined) expect(revision).toBe(String(expected));
    if (right.override_arguments) {
      expect(decision?.overrideArguments).toBe('{"command":"rm -rf target/out/x","cwd":"/srv/apps"}');
    }
    const resumed = resumesAs(read.value);
    if (right.resumes_as !== undefined) expect(resumed).toMatchObject({ value: { decision: right.resumes_as } });
    if (fixed.file === 'approval-inconsistent.json') {
      expect(resumed).toMatchObject({ ok: false, refusal: { facts: { upstream: 'InconsistentApproval' } } });
    }
    if (status === 'pending') {
      expect(resumed).toMatchObject({ ok: false, refusal: { facts: { upstream: 'MissingDecision' } } });
    }
  });
});

test('deferred-waiting.json is read and written byte for byte, and has no result', () => {
  const bytes = fixture('deferred-waiting.json');
  const read = readDeferred(bytes);
  if (!read.ok) throw new Error(read.refusal.text);
  expect(textOf(writeDeferred(read.value))).toBe(textOf(bytes));
  expect(read.value).toMatchObject({ status: 'waiting', revision: '1', response: 'null', name: 'external_search' });
  expect(resultOf(read.value)).toMatchObject({ ok: false, refusal: { facts: { upstream: 'MissingDecision' } } });
});

describe.each(named(/^claim-/))('starweaver $file', (fixed) => {
  test('S2 S16 says what index.json expects', () => {
    const bytes = fixture(fixed.file);
    const read = readClaim(bytes);
    expect(read.ok).toBe(fixed.expect.readable ?? true);
    if (!read.ok) {
      expect(read.refusal.facts['read']).toMatchObject({ code: errorName(fixed) });
      expect(read.refusal.text).toContain(fixed.upstream.error);
      return;
    }
    expect(textOf(writeClaim(read.value))).toBe(textOf(bytes));
    expect(meaningOf(read.value)).toMatchObject({
      releasable: fixed.expect.releasable,
      effectsPossible: fixed.expect.effects_possible,
    });
  });
});

describe.each(named(/^decision-/))('starweaver $file', (fixed) => {
  test('ToolApprovalDecision in and out', () => {
    const text = textOf(fixture(fixed.file));
    const decision = decisionFromText(text);
    if (!decision.ok) throw new Error(decision.refusal.text);
    expect(decision.value.decision).toBe(fixed.expect.decision === 'approve' ? 'approved' : 'denied');
    expect(decisionToText(decision.value)).toBe(text);
  });
});

test.each([
  '{"decision":"maybe"}',
  '{}',
  'null',
  '["approved"]',
  '{"decision":"denied","decision":"approved"}',
  '{"decision":"approved","reason":7}',
  '{"decision":"approved","metadata":null}',
  '{"decision":"approved"} x',
])('no decision: %s', (text) => {
  expect(decisionFromText(text)).toMatchObject({ ok: false, refusal: { code: 'unreadable' } });
});
