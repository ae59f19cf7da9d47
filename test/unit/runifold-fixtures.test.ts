import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { inspectJson, readRecord } from '../../electron/formats/read-record.js';
import { commandFromText, commandToText } from '../../electron/formats/runifold/command.js';
import { envelopeText } from '../../electron/formats/runifold/envelope-text.js';
import { reopen } from '../../electron/formats/runifold/open.js';
import { sortedText } from '../../electron/formats/runifold/sorted.js';
import { runifold } from '../../electron/formats/runifold.js';
import { member } from '../../shared/json.js';

const FOLDER = new URL('../fixtures/runifold/', import.meta.url);
const bytesOf = (file: string): Uint8Array => readFileSync(new URL(file, FOLDER));
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

interface Fixture {
  file: string;
  bytes: number;
  upstream: { verdict: 'accept' | 'refuse'; error?: string; rewrites_byte_identical?: boolean };
  expect: {
    suspended?: boolean;
    human_gate?: boolean;
    pending?: { interrupt_id: string; prompt: string }[];
    phase?: string;
    resume?: string;
    terminal?: boolean;
    waiting_on?: string;
    readable?: boolean;
    conversation_commit?: { expected_version: number; persisted_prefix_len: number };
    decision?: 'approve' | 'edit' | 'reject';
  };
}
const index: { fixtures: Fixture[] } = JSON.parse(readFileSync(new URL('index.json', FOLDER), 'utf8'));
const records = index.fixtures.filter(({ file }) => !file.startsWith('wf-command-'));
const commands = index.fixtures.filter(({ file }) => file.startsWith('wf-command-'));

test('the fixtures are the bytes that index.json names', () => {
  expect(records).toHaveLength(16);
  expect(commands).toHaveLength(3);
  for (const { file, bytes } of index.fixtures) expect([file, bytesOf(file).length]).toEqual([file, bytes]);
});

describe.each(records)('runifold $file', ({ file, upstream, expect: right }) => {
  const bytes = bytesOf(file);
  const read = readRecord(bytes);
  const printed = JSON.parse(inspectJson(bytes));
  const about = new Map((read.ok ? read.record.about : [])?.map(({ name, value }) => [name, value]));

  test('H5 is read exactly when its own system reads it', () => {
    expect(read.ok).toBe(upstream.verdict === 'accept');
    expect(read.ok).toBe(right.readable ?? true);
    expect(printed.state === 'unreadable').toBe(!read.ok);
  });

  test('inspect prints its right reading', () => {
    if (!read.ok) {
      expect(printed).toMatchObject({ resumable: false, pending: [], messages: 0, refusal: read.refusal });
      const words = upstream.error?.split(': ').at(-1) ?? '';
      if (upstream.error?.startsWith('InvalidPayload')) expect(read.refusal.text).toContain(words);
      return;
    }
    expect(printed).toMatchObject({ system: 'runifold', refusal: null, messages: read.record.messages.length });
    expect(printed.resumeStep).toBe(printed.completedStep + 1);
    expect(printed.revision).toBe(String(JSON.parse(textOf(bytes)).revision));
    expect(printed.state === 'waiting').toBe(right.suspended ?? false);
    expect(printed.state === 'waiting').toBe(right.human_gate ?? right.suspended ?? false);
    expect(printed.pending.map(({ id }: { id: string }) => id)).toEqual(
      right.pending?.map(({ interrupt_id }) => interrupt_id),
    );
    if (right.pending?.[0] !== undefined) expect(about.get('Prompt')).toBe(right.pending[0].prompt);
    if (right.phase !== undefined) expect(about.get('Phase')?.split(' ')[0]).toBe(right.phase);
    if (right.waiting_on !== undefined) expect(about.get('Waits for')).toContain(right.waiting_on);
    if (right.terminal) expect(printed).toMatchObject({ state: 'finished', resumable: false });
    if (right.resume?.startsWith('continue')) expect(printed).toMatchObject({ state: 'running', resumable: true });
    if (/Ambiguous|ambiguous|as 02/.test(right.resume ?? ''))
      expect(printed).toMatchObject({ state: 'in_flight', resumable: false });
    if (right.conversation_commit !== undefined) {
      expect(about.get('Conversation version')).toBe(String(right.conversation_commit.expected_version));
    }
  });

  test('J1 J2 written again, it is the same bytes where runifold itself writes the same', () => {
    if (!read.ok) return;
    const { text, root, envelope } = reopen(bytes);
    const payload = member(root, 'payload');
    if (payload === undefined) throw new Error('no payload');
    const again = envelopeText(
      { text, root },
      { revision: envelope.revision, payload: sortedText(payload), updatedAtMs: envelope.updated_at_ms },
    );
    expect(textOf(again) === textOf(bytes)).toBe(upstream.rewrites_byte_identical);
  });

  test('I6 read and exported, it comes back byte for byte: the text has no flag to set', () => {
    expect(runifold.latchedView(bytes)).toEqual(bytes);
  });
});

describe('single readings', () => {
  test.each([
    [
      '08-schema-version-2.json',
      'runifold',
      'newer_schema',
      'schema_version 2 of runifold.agent is newer than this app',
    ],
    ['09-other-kind.json', 'runifold', 'unsupported_kind', 'kind "vendor.custom" belongs to another program'],
    ['11-missing-message-metadata.json', 'runifold', 'missing_field', 'payload.transcript[1].metadata is missing'],
    ['12-corrupt.json', 'unknown', 'truncated', 'the text ends inside a string'],
  ])('%s is refused with field and place', (file, system, code, words) => {
    const read = readRecord(bytesOf(file));
    if (read.ok) throw new Error('accepted');
    expect(read.system).toBe(system);
    expect(read.refusal).toMatchObject({ code, line: 1, offset: expect.any(Number), column: expect.any(Number) });
    expect(read.refusal.text).toContain(words);
  });

  test.each([
    ['01-ready-revision-0.json', 'ready for turn 1; nothing waits for a person'],
    ['04-turn-2-in-flight.json', 'in flight: turn 2 may have run'],
    ['05-completed.json', 'finished; nothing to decide'],
    ['wf-01-waiting-interrupt.json', 'step review asks a person'],
    ['wf-02-step-in-flight.json', 'in flight: step charge may have run'],
    ['wf-03-schema-3.json', 'ready for step draft; nothing waits for a person'],
    ['wf-04-waiting-timer.json', 'step review waits for a timer (60000 ms), not for a person'],
  ])('%s: %s', (file, line) => {
    const read = readRecord(bytesOf(file));
    expect(read.ok && read.record.classification).toBe(line);
  });

  test('detection says which rule it used', () => {
    const read = readRecord(bytesOf('01-ready-revision-0.json'));
    expect(read.ok && read.rule).toBe('runifold: kind "runifold.agent"');
  });
});

describe.each(commands)('runifold $file', ({ file, expect: right }) => {
  test('WorkflowInterruptCommand in and out, byte for byte', () => {
    const text = textOf(bytesOf(file));
    const command = commandFromText(text);
    if (!command.ok) throw new Error(command.refusal.text);
    expect(command.value.decision.kind).toBe(right.decision);
    expect(commandToText(command.value)).toBe(text);
  });
});
