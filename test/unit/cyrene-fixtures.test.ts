import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { cyrene } from '../../electron/formats/cyrene.js';
import { inspectJson, readRecord } from '../../electron/formats/read-record.js';

const FOLDER = new URL('../fixtures/cyrene/', import.meta.url);
const bytesOf = (file: string): Uint8Array => readFileSync(new URL(file, FOLDER));

interface Fixture {
  file: string;
  bytes: number;
  expect: {
    resumable?: boolean | string;
    next_step?: number;
    pending?: unknown[];
    suspended_on_human?: boolean;
    session_id?: string;
    latest?: string;
    holdpoint?: string;
    hazard?: string;
    upstream_behaviour?: string;
  };
}
const index: { fixtures: Fixture[] } = JSON.parse(readFileSync(new URL('index.json', FOLDER), 'utf8'));

test('the fixtures are the bytes that index.json names', () => {
  expect(index.fixtures).toHaveLength(12);
  for (const { file, bytes } of index.fixtures) expect([file, bytesOf(file).length]).toEqual([file, bytes]);
});

describe.each(index.fixtures)('cyrene $file', ({ file, expect: right }) => {
  const bytes = bytesOf(file);
  const read = readRecord(bytes);
  const printed = JSON.parse(inspectJson(bytes));
  /** What cannot be decoded, and what Cyrene would run on from nothing. */
  const refused = /^(refuse|unreadable)/.test(right.holdpoint ?? '') || file.startsWith('10-');

  test('is told to be Cyrene, whatever is wrong with it', () => {
    expect(printed.system).toBe('cyrene');
    expect(read.ok).toBe(!refused);
  });

  test('inspect prints its right reading', () => {
    expect(printed.pending).toEqual(right.pending ?? []);
    expect(printed.state === 'waiting').toBe(right.suspended_on_human ?? false);
    if (!read.ok) {
      expect(printed).toMatchObject({ state: 'unreadable', resumable: false, refusal: read.refusal });
      return;
    }
    const resumable = right.resumable !== false;
    expect(printed).toMatchObject({ resumable, state: resumable ? 'running' : 'finished', refusal: null });
    expect(printed.resumeStep).toBe(printed.completedStep + 1);
    if (right.next_step !== undefined) expect(printed.resumeStep).toBe(right.next_step);
    if (right.session_id !== undefined) expect(printed.runId).toBe(right.session_id);
    if (right.latest !== undefined) expect(printed.checkpointId).toBe(right.latest);
    const codes = read.record.warnings.map(({ code }) => code);
    expect(codes.includes('may_be_finished')).toBe(right.hazard !== undefined);
    expect(codes.includes('not_resumable')).toBe(!resumable);
  });

  test('I6 read and exported, it comes back byte for byte: a row has no latch', () => {
    expect(cyrene.latchedView(bytes)).toEqual(bytes);
  });
});

describe('single readings', () => {
  test.each([
    ['07-null-messages.json', 'no_conversation', 'state', 'no conversation: the state of step 1 has no messages'],
    ['08-state-is-json-null.json', 'cannot_decode', 'state', 'it must be an object, not null'],
    ['09-state-corrupt.json', 'cannot_decode', 'state.messages[0].role', 'the text ends inside a string'],
    ['10-state-empty.json', 'cannot_decode', 'state', 'the text is empty (0 bytes)'],
  ])('%s is refused with the place of its state: %s', (file, code, path, words) => {
    const read = readRecord(bytesOf(file));
    if (read.ok) throw new Error('accepted');
    expect(read.refusal).toMatchObject({ code, path, line: 5, column: 11 });
    expect(read.refusal.text).toContain(words);
  });

  test.each([
    ['01-interrupted-tool-loop.json', 'interrupted after step 3; nothing waits for a person'],
    ['04-completed.json', 'ended after step 4 with a final answer; nothing to decide'],
    ['06-budget-exhausted.json', 'ended after step 9 with its budget used up; not resumable'],
  ])('%s: %s', (file, line) => {
    const read = readRecord(bytesOf(file));
    expect(read.ok && read.record.classification).toBe(line);
  });

  test.each([
    ['01-interrupted-tool-loop.json', 'cyrene: a row with the columns id, agent_id, step, updated_at, state'],
    [
      '14-two-rows-latest-by-updated-at.json',
      'cyrene: a list of 2 rows with the columns id, agent_id, step, updated_at, state',
    ],
  ])('%s says which rule told it', (file, rule) => {
    const read = readRecord(bytesOf(file));
    expect(read.ok && read.rule).toBe(rule);
  });
});
