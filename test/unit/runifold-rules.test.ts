import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readRecord } from '../../electron/formats/read-record.js';
import { commandFromText, commandToText, type InterruptCommand } from '../../electron/formats/runifold/command.js';
import { durableCommit } from '../../electron/formats/runifold/durable.js';
import {
  type Effect,
  type EffectStatus,
  effectKey,
  effectKeys,
  recoverEffect,
} from '../../electron/formats/runifold/effects.js';
import { interruptCommand } from '../../electron/formats/runifold/hand-over.js';
import { decideInterrupt } from '../../electron/formats/runifold/interrupt.js';
import { outcomeOf } from '../../electron/formats/runifold/outcome.js';
import { type AgentCaller, resumeAgent } from '../../electron/formats/runifold/resume-agent.js';
import { resumeWorkflow, type WorkflowCaller } from '../../electron/formats/runifold/resume-workflow.js';
import { compareAndSwap, nextRevision } from '../../electron/formats/runifold/revision.js';
import { mayCompact, signalOutcome } from '../../electron/formats/runifold/signals.js';
import { runifold } from '../../electron/formats/runifold.js';
import { textDigest } from '../../electron/formats/text-digest.js';
import type { Decision, Verdict } from '../../shared/decision.js';
import type { Outcome } from '../../shared/refusal.js';

const FIXTURES = new URL('../fixtures/runifold/', import.meta.url);
const fixture = (file: string): Uint8Array => readFileSync(new URL(file, FIXTURES));
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

const READY = fixture('03-ready-after-parallel-tools.json');
const IN_FLIGHT = fixture('04-turn-2-in-flight.json');
const COMPLETED = fixture('05-completed.json');
const DURABLE = fixture('06-durable-conversation-in-flight.json');
const INTERRUPT = fixture('wf-01-waiting-interrupt.json');
const AT = '2026-07-20T10:00:00.123456Z';
const U64_MAX = 18_446_744_073_709_551_615n;

function recordOf(bytes: Uint8Array) {
  const read = readRecord(bytes);
  if (!read.ok) throw new Error(read.refusal.text);
  return read.record;
}

function granted<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(outcome.refusal.text);
  return outcome.value;
}

/** runifold's own name of a refusal, and its text. */
function named(outcome: Outcome<unknown>): [unknown, string] {
  if (outcome.ok) throw new Error('accepted');
  return [outcome.refusal.facts['name'], outcome.refusal.text];
}

const name = (outcome: Outcome<unknown>): unknown => named(outcome)[0];

describe('R1 R8 compare-and-swap', () => {
  const id = '0198f0c1-7b1e-7c3a-9d2e-5a6b7c8d9e0f';
  const at = (revision: bigint) => ({ id, revision });

  test('create only, at revision 0', () => {
    expect(compareAndSwap(null, at(0n), null)).toMatchObject({ ok: true });
    expect(name(compareAndSwap(null, at(1n), null))).toBe('Conflict');
    expect(name(compareAndSwap(at(0n), at(0n), null))).toBe('Conflict');
  });

  test('update from the revision read to the next one', () => {
    expect(compareAndSwap(at(7n), at(8n), 7n)).toMatchObject({ ok: true });
    expect(name(compareAndSwap(at(7n), at(9n), 7n))).toBe('Conflict');
    expect(name(compareAndSwap(at(7n), at(7n), 6n))).toBe('Conflict');
    expect(name(compareAndSwap(null, at(8n), 7n))).toBe('NotFound');
  });

  test('R8 of two that loaded the same revision one wins, the other is told which is stored', () => {
    const lost = compareAndSwap(at(8n), at(8n), 7n);
    expect(lost).toMatchObject({
      ok: false,
      refusal: { code: 'already_claimed', facts: { system: 'runifold', expected: '7', actual: '8', next: '8' } },
    });
    expect(named(lost)[1]).toBe(`Conflict: checkpoint \`${id}\` revision precondition failed`);
  });

  test('64 bits, and what comes after them is refused', () => {
    expect(compareAndSwap(at(U64_MAX - 1n), at(U64_MAX), U64_MAX - 1n)).toMatchObject({ ok: true });
    expect(nextRevision(9_007_199_254_740_993n)).toEqual({ ok: true, value: 9_007_199_254_740_994n });
    expect(named(nextRevision(U64_MAX))).toEqual(['Conflict', 'Conflict: checkpoint revision overflow']);
  });
});

describe('R5 R6 R7 resuming an agent checkpoint', () => {
  const usage = (bytes: Uint8Array) => {
    const { usage: written } = JSON.parse(textOf(bytes)).payload;
    const entries = Object.entries(written).map(([key, value]) => [key, BigInt(String(value))]);
    return Object.fromEntries(entries);
  };
  const caller = (bytes: Uint8Array, more: Partial<AgentCaller> = {}): AgentCaller => ({
    agent: 'refund-worker',
    model: { provider: 'openai', name: 'gpt-x' },
    usage: usage(bytes),
    policy: 'RejectAmbiguous',
    durable: false,
    ...more,
  });

  test('R5 agent name and model must be the configured ones', () => {
    const other = fixture('14-identity-mismatch.json');
    expect(named(resumeAgent(other, caller(other)))).toEqual([
      'InvalidPayload',
      'InvalidPayload: checkpoint Agent or model identity does not match',
    ]);
    expect(name(resumeAgent(READY, caller(READY, { model: { provider: 'azure', name: 'gpt-x' } })))).toBe(
      'InvalidPayload',
    );
    expect(name(resumeAgent(READY, caller(READY, { model: { provider: 'openai', name: 'gpt-y' } })))).toBe(
      'InvalidPayload',
    );
    expect(name(resumeAgent(INTERRUPT, caller(READY)))).toBe('InvalidPayload');
  });

  test('R6 completed gives the stored outcome; usage must be equal', () => {
    const stored = granted(resumeAgent(COMPLETED, caller(COMPLETED)));
    expect(stored).toMatchObject({
      kind: 'stored_outcome',
      conversationVersion: null,
      outcome: { answer: 'The refund failed; I opened a ticket.', turns: 2, toolCalls: 2, delegations: 0 },
    });
    expect(granted(resumeAgent(COMPLETED, caller(COMPLETED)))).toEqual(stored);
    const more = { ...usage(COMPLETED), tokens: 1335n };
    expect(name(resumeAgent(COMPLETED, caller(COMPLETED, { usage: more })))).toBe('InvalidPayload');
  });

  test('R6 a durable resume skips the usage check and reports the next version', () => {
    const text = textOf(COMPLETED).replace(
      '"execution_id"',
      '"durable_conversation":{"conversation_id":"0198f0c0-1111-7222-8333-444455556666","expected_version":18446744073709551614,"namespace":"n","persisted_prefix_len":1},"execution_id"',
    );
    const resumed = resumeAgent(bytesOf(text), caller(COMPLETED, { durable: true, usage: usage(READY) }));
    expect(resumed).toMatchObject({ ok: true, value: { kind: 'stored_outcome', conversationVersion: U64_MAX } });
    expect(name(resumeAgent(COMPLETED, caller(COMPLETED, { durable: true })))).toBe('InvalidPayload');
  });

  test('R7 the default policy refuses an interrupted turn, with its number', () => {
    const refusal = resumeAgent(IN_FLIGHT, caller(IN_FLIGHT));
    expect(refusal).toMatchObject({ ok: false, refusal: { code: 'unknown_outcome', facts: { turn: 2 } } });
    expect(named(refusal)).toEqual([
      'AmbiguousCheckpoint',
      'AmbiguousCheckpoint: checkpoint contains an ambiguous in-flight turn 2',
    ]);
  });

  test('R7 a retry repeats the turn from the stored transcript; usage is a floor', () => {
    const retry = { policy: 'RetryInterruptedTurn' } as const;
    expect(granted(resumeAgent(IN_FLIGHT, caller(IN_FLIGHT, retry)))).toEqual({ kind: 'retry', turn: 2 });
    const more = { ...usage(IN_FLIGHT), turns: 9n };
    expect(resumeAgent(IN_FLIGHT, caller(IN_FLIGHT, { ...retry, usage: more })).ok).toBe(true);
    const less = { ...usage(IN_FLIGHT), cost_microusd: 839n };
    expect(named(resumeAgent(IN_FLIGHT, caller(IN_FLIGHT, { ...retry, usage: less })))).toEqual([
      'InvalidPayload',
      'InvalidPayload: Run budget usage is below the in-flight checkpoint snapshot',
    ]);
  });

  test('R7 ready_for_turn goes on with the next turn; usage must be equal', () => {
    expect(granted(resumeAgent(READY, caller(READY)))).toEqual({ kind: 'continue', turn: 2 });
    expect(name(resumeAgent(READY, caller(READY, { usage: { ...usage(READY), tokens: 613n } })))).toBe(
      'InvalidPayload',
    );
  });
});

describe('R6 the stored outcome', () => {
  test('response, transcript and counters; other phases have none', () => {
    const outcome = outcomeOf(COMPLETED);
    if (outcome?.kind !== 'agent') throw new Error('no outcome');
    expect(JSON.parse(outcome.response)).toMatchObject({ id: 'resp_9', finish_reason: 'stop' });
    expect(outcome.transcript).toEqual(recordOf(COMPLETED).messages);
    expect(outcome.usage.tokens).toBe(1334n);
    for (const bytes of [READY, IN_FLIGHT, DURABLE, INTERRUPT]) expect(outcomeOf(bytes)).toBeNull();
  });

  test('of a workflow: output and steps as written', () => {
    const outcome =
      '{"output":{"n":1.0},"steps":{"draft":2512292042121000001},"usage":{"cost_microusd":0,"delegations":0,"duration_micros":0,"tokens":300,"tool_calls":0,"turns":1}}';
    const text = textOf(fixture('wf-03-schema-3.json')).replace(
      '{"state":"ready"}',
      `{"outcome":${outcome},"state":"completed"}`,
    );
    expect(outcomeOf(bytesOf(text))).toMatchObject({
      kind: 'workflow',
      output: '{"n":1.0}',
      steps: '{"draft":2512292042121000001}',
    });
    expect(recordOf(bytesOf(text))).toMatchObject({ state: 'finished', resumable: false });
  });
});

describe('R3 R4 what a checkpoint shows', () => {
  test('R4 none of runifold’s own agent checkpoints has a pending call, and an in-flight one nothing of its turn', () => {
    for (const bytes of [READY, IN_FLIGHT, COMPLETED, DURABLE]) expect(recordOf(bytes).pending).toBeNull();
    expect(recordOf(IN_FLIGHT).messages).toEqual(recordOf(READY).messages);
  });

  test('R4 a key of ours counts only in the phase that it belongs to', () => {
    const held =
      '"holdpoint_pending":[{"content":[{"arguments":{},"id":"c","metadata":{},"name":"t","type":"tool_call"}],"metadata":{},"role":"assistant"}],"model"';
    expect(recordOf(bytesOf(textOf(READY).replace('"model"', held))).pending).toBeNull();
    expect(recordOf(bytesOf(textOf(IN_FLIGHT).replace('"model"', held)))).toMatchObject({
      state: 'waiting',
      resumable: true,
    });
  });
});

describe('R9 effects', () => {
  const executionId = '0198f0c1-7b1e-7c3a-9d2e-5a6b7c8d9e0f';
  const effect: Effect = {
    key: effectKey({ executionId, agent: 'refund-worker', turn: 2, call: 0 }),
    tool: 'issue_refund',
    input: '{"a":1,"b":2.0}',
    effectClass: 'NonIdempotentWrite',
  };
  const known = (status: EffectStatus) => ({ effect, status });

  test('the key of a call', () => {
    expect(effect.key).toBe(`${executionId}:agent:refund-worker:turn:2:call:0`);
  });

  test('the calls of a held turn have the keys of that turn', () => {
    const held =
      '"holdpoint_pending":[{"content":[{"arguments":{},"id":"c","metadata":{},"name":"t","type":"tool_call"},{"arguments":{},"id":"d","metadata":{},"name":"t","type":"tool_call"}],"metadata":{},"role":"assistant"}],"model"';
    expect(effectKeys(bytesOf(textOf(IN_FLIGHT).replace('"model"', held)))).toEqual([
      `${executionId}:agent:refund-worker:turn:2:call:0`,
      `${executionId}:agent:refund-worker:turn:2:call:1`,
    ]);
    expect(effectKeys(IN_FLIGHT)).toEqual([]);
    expect(effectKeys(INTERRUPT)).toEqual([]);
  });

  test('prepared runs, completed is given again, failed stays failed', () => {
    expect(granted(recoverEffect(null, effect, 'RejectAmbiguous'))).toEqual({ kind: 'run' });
    expect(granted(recoverEffect(known({ state: 'prepared' }), effect, 'RejectAmbiguous'))).toEqual({ kind: 'run' });
    const again = recoverEffect(known({ state: 'completed', output: '"x"' }), effect, 'RejectAmbiguous');
    expect(granted(again)).toEqual({ kind: 'replay', output: '"x"' });
    expect(name(recoverEffect(known({ state: 'failed', error: 'e' }), effect, 'RetrySafe'))).toBe('Handler');
  });

  test('started is ambiguous unless the policy and the class allow a retry', () => {
    const started = (effectClass: Effect['effectClass'], policy: 'RejectAmbiguous' | 'RetrySafe', key = effect.key) => {
      const wanted = { ...effect, effectClass, key };
      return recoverEffect({ effect: wanted, status: { state: 'started' } }, wanted, policy);
    };
    for (const free of ['Pure', 'ReadOnly', 'IdempotentWrite'] as const) {
      expect(started(free, 'RetrySafe').ok).toBe(true);
      expect(name(started(free, 'RejectAmbiguous'))).toBe('Ambiguous');
    }
    for (const bound of ['NonIdempotentWrite', 'Destructive', 'Unknown'] as const)
      expect(name(started(bound, 'RetrySafe'))).toBe('Ambiguous');
    expect(name(started('IdempotentWrite', 'RetrySafe', ''))).toBe('Ambiguous');
    expect(started('Pure', 'RetrySafe', '').ok).toBe(true);
  });

  test('the same key with other work is a conflict; another writing of the same input is not', () => {
    const prepared = known({ state: 'prepared' });
    expect(recoverEffect(prepared, { ...effect, input: '{ "b":2.0,"a":1 }' }, 'RejectAmbiguous').ok).toBe(true);
    for (const other of [{ input: '{"a":1,"b":2}' }, { tool: 'x' }, { effectClass: 'Pure' as const }])
      expect(name(recoverEffect(prepared, { ...effect, ...other }, 'RejectAmbiguous'))).toBe('IdempotencyConflict');
  });
});

describe('R10 the end of a durable turn', () => {
  const completed = runifold.writeContinued(DURABLE, {
    messages: [...recordOf(DURABLE).messages, { role: 'assistant', content: 'Done.', toolCalls: [], toolCallId: null }],
    pending: null,
    step: 1,
    createdAt: AT,
  });
  const store = { conversationVersion: 4n, checkpointRevision: 1n };

  test('append and completed checkpoint together, without the first messages', () => {
    const commit = granted(durableCommit(completed, store));
    expect(commit).toMatchObject({
      conversationId: '0198f0c0-1111-7222-8333-444455556666',
      namespace: 'tenant.user-7',
      conversationVersion: 5n,
    });
    expect(commit.append.map((text) => JSON.parse(text).role)).toEqual(['user', 'assistant']);
    expect(commit.checkpoint).toBe(completed);
  });

  test.each([
    ['the conversation moved on', { conversationVersion: 5n }],
    ['the checkpoint moved on', { checkpointRevision: 2n }],
  ])('%s: Conflict, nothing is written, the outcome comes back', (_, stale) => {
    const refusal = durableCommit(completed, { ...store, ...stale });
    expect(name(refusal)).toBe('Conflict');
    expect(refusal).toMatchObject({ refusal: { facts: { outcome: { answer: 'Done.' } } } });
  });

  test('system messages in the persisted part are refused, transient ones are left out', () => {
    const prefix = (length: number) =>
      bytesOf(textOf(completed).replace('"persisted_prefix_len":1', `"persisted_prefix_len":${length}`));
    expect(named(durableCommit(prefix(0), store))[1]).toContain('system instructions cannot be persisted');
    expect(named(durableCommit(prefix(3), store))[1]).toContain('invalid transcript prefix');
    const transient = textOf(completed).replace(
      '"metadata":{},"role":"user"',
      '"metadata":{"runifold.context.transient":true},"role":"user"',
    );
    expect(granted(durableCommit(bytesOf(transient), store)).append).toHaveLength(1);
  });

  test('what is no completed durable turn is refused', () => {
    expect(name(durableCommit(DURABLE, store))).toBe('InvalidPayload');
    expect(name(durableCommit(COMPLETED, store))).toBe('InvalidPayload');
    expect(name(durableCommit(INTERRUPT, store))).toBe('InvalidPayload');
  });
});

const command = (file: string): InterruptCommand => granted(commandFromText(textOf(fixture(file))));
const APPROVE = command('wf-command-approve.json');
const EDIT = command('wf-command-edit.json');
const REJECT = command('wf-command-reject.json');

describe('R12 limits of a command', () => {
  const text = (decision: string): string =>
    `{"decision_id":"${APPROVE.decisionId}","checkpoint_id":"${APPROVE.checkpointId}","interrupt_id":"${APPROVE.interruptId}","decision":${decision}}`;
  const reject = (reason: string) => commandFromText(text(JSON.stringify({ kind: 'reject', reason })));

  test('a reason has 1 to 4096 bytes and is not blank', () => {
    expect(reject('é'.repeat(2_048)).ok).toBe(true);
    expect(named(reject('é'.repeat(2_049)))[1]).toContain('1..=4096 bytes');
    expect(name(reject(' \n'))).toBe('InvalidInput');
    expect(name(reject(''))).toBe('InvalidInput');
  });

  test('an edited value has at most 1048576 bytes in its compact text', () => {
    const edit = (letters: number, space = '') =>
      commandFromText(text(`{"kind":"edit","value":${space}"${'x'.repeat(letters)}"}`));
    expect(edit(1_048_574, ' '.repeat(10)).ok).toBe(true);
    expect(named(edit(1_048_575))[1]).toContain('1 MiB');
  });

  test.each([
    text('{"kind":"approve","kind":"approve"}'),
    text('{"kind":"edit"}'),
    text('{"kind":"reject"}'),
    text('{"kind":"maybe"}'),
    text('"approve"'),
    text('{"kind":"edit","value":{"a":1,"a":2}}'),
    text('{"kind":"approve"}').replace(APPROVE.interruptId, 'x'),
    '[]',
    '{',
  ])('no command: %s', (written) => {
    expect(commandFromText(written)).toMatchObject({ ok: false, refusal: { code: 'unreadable' } });
  });

  test('numbers of an edited value stay as typed', () => {
    const written = text('{"kind":"edit","value":{"z":1.0,"a":18446744073709551616}}');
    expect(commandToText(granted(commandFromText(written)))).toBe(
      text('{"kind":"edit","value":{"a":18446744073709551616,"z":1.0}}'),
    );
  });
});

describe('R13 delivering a decision', () => {
  const kind = (bytes: Uint8Array, said: InterruptCommand, earlier: InterruptCommand[] = []): string =>
    granted(decideInterrupt(bytes, said, earlier, AT)).kind;

  test.each([
    ['approve', APPROVE, '{"kind":"approved","value":{"amount_cents":12900,"order_id":"ORD-4471"}}'],
    ['edit', EDIT, '{"kind":"edited","value":{"amount_cents":9900,"order_id":"ORD-4471"}}'],
    ['reject', REJECT, '{"kind":"rejected","reason":"above limit"}'],
  ])('%s wakes the workflow, exactly one step further', (_, said, result) => {
    const delivered = granted(decideInterrupt(INTERRUPT, said, [], AT));
    if (delivered.kind !== 'WokeWorkflow') throw new Error(delivered.kind);
    const before = textOf(INTERRUPT);
    const expected = before
      .replace('"revision":3', '"revision":4')
      .replace('"next_index":1', '"next_index":2')
      .replace(
        '"outputs":{"draft":{"amount_cents":12900,"order_id":"ORD-4471"}}',
        `"outputs":{"draft":{"amount_cents":12900,"order_id":"ORD-4471"},"review":${result}}`,
      )
      .replace(/"phase":\{.*?\}\}\},"usage"/, '"phase":{"state":"ready"},"usage"')
      .replace(/"value":\{"amount_cents":12900,"order_id":"ORD-4471"\},"workflow"/, `"value":${result},"workflow"`)
      .replace('"updated_at_ms":1784538900000', '"updated_at_ms":1784541600123');
    expect(textOf(delivered.record)).toBe(expected);
    const record = recordOf(delivered.record);
    expect(record).toMatchObject({ state: 'running', revision: '4', completedStep: 2, warnings: [] });
    expect(record.classification).toBe('ready for step charge; nothing waits for a person');
  });

  test('what the woken workflow holds is what runifold itself holds after it', () => {
    const delivered = granted(decideInterrupt(INTERRUPT, APPROVE, [], AT));
    if (delivered.kind !== 'WokeWorkflow') throw new Error(delivered.kind);
    const { payload } = JSON.parse(textOf(delivered.record));
    const later = JSON.parse(textOf(fixture('wf-02-step-in-flight.json'))).payload;
    expect({ ...payload, phase: null }).toEqual({ ...later, phase: null });
  });

  test('the same decision id with the same content is a Duplicate, with other content a Conflict', () => {
    expect(kind(INTERRUPT, APPROVE, [APPROVE])).toBe('Duplicate');
    expect(kind(INTERRUPT, EDIT, [{ ...EDIT }])).toBe('Duplicate');
    const other = { ...REJECT, decisionId: APPROVE.decisionId };
    expect(named(decideInterrupt(INTERRUPT, other, [APPROVE], AT))[1]).toContain('already bound to different content');
    expect(name(decideInterrupt(INTERRUPT, { ...APPROVE, interruptId: REJECT.decisionId }, [APPROVE], AT))).toBe(
      'Conflict',
    );
  });

  test('a wrong, a decided and a finished interrupt are DeadLettered', () => {
    expect(kind(INTERRUPT, { ...APPROVE, interruptId: REJECT.decisionId })).toBe('DeadLettered');
    expect(kind(fixture('wf-02-step-in-flight.json'), REJECT, [APPROVE])).toBe('DeadLettered');
    const done = textOf(fixture('wf-03-schema-3.json')).replace(
      '{"state":"ready"}',
      '{"outcome":{"output":1,"steps":{},"usage":{"cost_microusd":0,"delegations":0,"duration_micros":0,"tokens":0,"tool_calls":0,"turns":0}},"state":"completed"}',
    );
    expect(kind(bytesOf(done), APPROVE)).toBe('DeadLettered');
  });

  test('before the workflow waits it is Buffered, and for another wait too', () => {
    expect(kind(fixture('wf-03-schema-3.json'), APPROVE)).toBe('Buffered');
    expect(kind(fixture('wf-04-waiting-timer.json'), APPROVE)).toBe('Buffered');
  });

  test('another checkpoint is NotFound, and limits hold before anything else', () => {
    expect(name(decideInterrupt(INTERRUPT, { ...APPROVE, checkpointId: APPROVE.decisionId }, [], AT))).toBe('NotFound');
    expect(name(decideInterrupt(READY, APPROVE, [], AT))).toBe('NotFound');
    const blank = { ...REJECT, decision: { kind: 'reject' as const, reason: '' } };
    expect(name(decideInterrupt(INTERRUPT, blank, [], AT))).toBe('InvalidInput');
  });

  test('R1 at the last revision it is refused', () => {
    const last = bytesOf(textOf(INTERRUPT).replace('"revision":3', `"revision":${U64_MAX}`));
    expect(name(decideInterrupt(last, APPROVE, [], AT))).toBe('Conflict');
  });

  test('I6 unknown fields and number texts survive the step', () => {
    const text = textOf(INTERRUPT)
      .replace('"usage":{', '"note":{"z":1.0,"a":2512292042121000001},"usage":{')
      .replace(/\}$/, ',"extra":[1e2]}');
    const delivered = granted(decideInterrupt(bytesOf(text), APPROVE, [], AT));
    if (delivered.kind !== 'WokeWorkflow') throw new Error(delivered.kind);
    expect(textOf(delivered.record)).toContain('"note":{"a":2512292042121000001,"z":1.0}');
    expect(textOf(delivered.record)).toMatch(/"extra":\[1e2\]\}$/);
  });
});

describe('R14 deadlines and compaction', () => {
  test('at the exact deadline the timeout has won', () => {
    expect(signalOutcome(99n, 100n)).toBe('WokeWorkflow');
    expect(signalOutcome(100n, 100n)).toBe('DeadLettered');
    expect(signalOutcome(101n, 100n)).toBe('DeadLettered');
  });

  test('resolved signals at or before the cutoff, never pending ones', () => {
    for (const state of ['consumed', 'dead_lettered'] as const) {
      expect(mayCompact({ state, acceptedAtMs: 100n }, 100n)).toBe(true);
      expect(mayCompact({ state, acceptedAtMs: 101n }, 100n)).toBe(false);
    }
    expect(mayCompact({ state: 'pending', acceptedAtMs: 1n }, 100n)).toBe(false);
  });
});

describe('R15 resuming a workflow checkpoint', () => {
  const caller = (more: Partial<WorkflowCaller> = {}): WorkflowCaller => ({
    workflow: 'refund',
    version: 3,
    layout: ['draft', 'review', 'charge'],
    usage: { tokens: 300n, cost_microusd: 0n, duration_micros: 0n, turns: 1n, tool_calls: 0n, delegations: 0n },
    policy: 'RejectAmbiguous',
    ...more,
  });
  const STEP = fixture('wf-02-step-in-flight.json');
  const READY_WORKFLOW = fixture('wf-03-schema-3.json');

  test('an interrupted step is refused with its name; a retry is an act of its own', () => {
    const refusal = resumeWorkflow(STEP, caller());
    expect(named(refusal)).toEqual([
      'AmbiguousCheckpoint',
      'AmbiguousCheckpoint: checkpoint contains ambiguous in-flight workflow step `charge`',
    ]);
    expect(refusal).toMatchObject({ refusal: { facts: { step: 'charge' } } });
    const retry = { policy: 'RetryInterruptedStep' } as const;
    expect(granted(resumeWorkflow(STEP, caller(retry)))).toEqual({ kind: 'retry', step: 'charge' });
    const more = { ...caller().usage, tokens: 301n };
    expect(resumeWorkflow(STEP, caller({ ...retry, usage: more })).ok).toBe(true);
    const less = { ...caller().usage, tokens: 299n };
    expect(name(resumeWorkflow(STEP, caller({ ...retry, usage: less })))).toBe('CheckpointUsageMismatch');
  });

  test('identity: name, version and layout', () => {
    for (const other of [
      { workflow: 'x' },
      { version: 4 },
      { layout: ['draft', 'review'] },
      { layout: ['draft', 'charge', 'review'] },
    ])
      expect(name(resumeWorkflow(READY_WORKFLOW, caller(other)))).toBe('CheckpointIdentityMismatch');
    expect(name(resumeWorkflow(READY, caller()))).toBe('InvalidPayload');
  });

  test('a durable wait needs a worker; ready goes on; usage must be equal', () => {
    expect(name(resumeWorkflow(INTERRUPT, caller()))).toBe('DurableWaitRequiresWorker');
    expect(name(resumeWorkflow(fixture('wf-04-waiting-timer.json'), caller()))).toBe('DurableWaitRequiresWorker');
    expect(granted(resumeWorkflow(READY_WORKFLOW, caller()))).toEqual({ kind: 'continue', step: 'draft' });
    const more = { ...caller().usage, tokens: 301n };
    expect(name(resumeWorkflow(READY_WORKFLOW, caller({ usage: more })))).toBe('CheckpointUsageMismatch');
  });
});

function decisionOf(
  bytes: Uint8Array,
  said: Partial<Verdict> & Pick<Verdict, 'verdict'>,
  more: Partial<Decision> = {},
): Decision {
  const record = recordOf(bytes);
  const pending = record.pending ?? [];
  return {
    v: 1,
    decisionId: '01K0QZ6V5M3H8D7N2B4C9F1XGB',
    suspension: { system: 'runifold', source: 'inbox', runId: record.runId, seq: 1 },
    resumeStep: record.resumeStep,
    revision: 1,
    digest: '',
    verdicts: pending.map(({ index, argumentsSha256 }) => ({ index, argumentsSha256, ...said })),
    reviewer: { name: 'R' },
    decidedAt: AT,
    notBefore: AT,
    signatures: [],
    ...more,
  };
}

const edited = (text: string) => ({
  verdict: 'approve' as const,
  editedArguments: text,
  editedSha256: textDigest(text),
});

describe('deciding an interrupt', () => {
  const check = (said: Parameters<typeof decisionOf>[1], wholeBatchOnly = false) =>
    runifold.checkDecision(recordOf(INTERRUPT), decisionOf(INTERRUPT, said), { wholeBatchOnly });

  test('approve, edit to any JSON value and reject are taken, also by a source that takes whole batches', () => {
    for (const said of [
      { verdict: 'approve' as const },
      edited('3'),
      edited('[1.0]'),
      { verdict: 'reject' as const },
    ]) {
      expect(check(said).ok).toBe(true);
      expect(check(said, true).ok).toBe(true);
    }
  });

  test('R12 limits are refused while deciding', () => {
    expect(check({ verdict: 'reject', reason: 'x'.repeat(4_097) })).toMatchObject({ refusal: { code: 'bad_request' } });
    expect(check(edited(`"${'x'.repeat(1_048_575)}"`))).toMatchObject({ refusal: { code: 'bad_request' } });
    expect(check(edited('{"a":1,"a":2}'))).toMatchObject({ refusal: { code: 'invalid_edit' } });
    expect(check(edited('{'))).toMatchObject({ refusal: { code: 'invalid_edit' } });
    expect(check({ ...edited('1'), verdict: 'reject' })).toMatchObject({ refusal: { code: 'invalid_edit' } });
    expect(check({ verdict: 'approve', argumentsSha256: 'x' })).toMatchObject({
      refusal: { code: 'changed_since_you_looked' },
    });
  });

  test.each([
    [{ verdict: 'approve' as const }, APPROVE.decision],
    [edited(' { "order_id":"ORD-4471", "amount_cents":9900 } '), EDIT.decision],
    [{ verdict: 'reject' as const, reason: 'above limit' }, REJECT.decision],
    [{ verdict: 'reject' as const }, { kind: 'reject', reason: 'no reason was given' }],
  ])('H13 handed over as the command, with the checkpoint as it came: %j', (said, decision) => {
    const given = runifold.handOver(INTERRUPT, recordOf(INTERRUPT), decisionOf(INTERRUPT, said));
    expect(given).toMatchObject({ record: textOf(INTERRUPT), notes: [] });
    const parsed = granted(commandFromText(given.systemDecision ?? ''));
    expect(parsed).toMatchObject({ checkpointId: APPROVE.checkpointId, interruptId: APPROVE.interruptId, decision });
    expect(granted(decideInterrupt(INTERRUPT, parsed, [], AT)).kind).toBe('WokeWorkflow');
  });

  test('R13 the same decision gives the same command: a repeat is a Duplicate', () => {
    const decided = () => granted(interruptCommand(recordOf(INTERRUPT), decisionOf(INTERRUPT, { verdict: 'approve' })));
    expect(granted(decideInterrupt(INTERRUPT, decided(), [decided()], AT)).kind).toBe('Duplicate');
  });
});

describe('records in which nothing waits for a person', () => {
  const step = (verdict: 'approve' | 'reject') => ({ step: { verdict } });
  const check = (bytes: Uint8Array, more: Partial<Decision>) =>
    runifold.checkDecision(recordOf(bytes), decisionOf(bytes, { verdict: 'approve' }, more), { wholeBatchOnly: false });

  test('one that can go on may be told to; nothing else can be said', () => {
    expect(check(READY, step('approve')).ok).toBe(true);
    expect(check(READY, step('reject'))).toMatchObject({ refusal: { code: 'not_waiting' } });
    expect(check(READY, {})).toMatchObject({ refusal: { code: 'not_waiting' } });
  });

  test.each([
    ['04-turn-2-in-flight.json', 'in flight: turn 2 may have run'],
    ['05-completed.json', 'finished; nothing to decide'],
    ['wf-04-waiting-timer.json', 'waits for a timer'],
  ])('%s does not go on by a decision', (file, words) => {
    const refusal = check(fixture(file), step('approve'));
    expect(refusal).toMatchObject({
      ok: false,
      refusal: { code: 'not_waiting', text: expect.stringContaining(words) },
    });
  });

  test('H13 an agent checkpoint is handed over as it came, without a decision', () => {
    expect(
      runifold.handOver(READY, recordOf(READY), decisionOf(READY, { verdict: 'approve' }, step('approve'))),
    ).toEqual({
      systemDecision: null,
      record: textOf(READY),
      notes: [],
    });
  });
});
