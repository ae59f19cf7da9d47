import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeModels } from '../../electron/agent/model-client.js';
import { ledgerPath } from '../../electron/agent/sample-ledger.js';
import {
  SAMPLE_MODEL,
  SAMPLE_SERVER,
  SAMPLE_SOURCE,
  SAMPLE_TOOL_ROWS,
  sampleRecords,
} from '../../electron/agent/samples.js';
import { makeTools } from '../../electron/agent/tool-servers.js';
import type { Message } from '../../shared/checkpoint.js';
import { readJson } from '../../shared/json.js';
import { ModelEndpoint, Source, ToolServer } from '../../shared/settings.js';
import { ToolRow, toolFacts } from '../../shared/tool-table.js';

const never = new AbortController().signal;
let count = 0;
const ids = { ulid: () => `01K0QZ6V5M3H8D7N2B4C9F1X${String(count++).padStart(2, '0')}` };
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-samples-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const records = () => sampleRecords(1_770_000_000_000_000_000n, ids);
const textOf = (name: string): string =>
  new TextDecoder().decode(records().find((record) => record.name === name)?.bytes);

describe('sample records', () => {
  it('are klieo records with distinct run ids, dated before now, and one that says a key twice', () => {
    const read = records().map((record) => ({ name: record.name, json: readJson(record.bytes) }));
    const broken = read.filter(({ json }) => json.ok && json.duplicates.length > 0);
    expect(broken.map(({ name }) => name)).toEqual(['says-two-things.json']);
    const whole = records().map((record) => JSON.parse(new TextDecoder().decode(record.bytes)));
    expect(new Set(whole.map((record) => record.run_id)).size).toBe(records().length);
    for (const record of whole) expect(Date.parse(record.created_at)).toBeLessThan(1_770_000_000_000);
    expect(whole.map((record) => record.pending_tool_calls.length).sort()).toEqual([1, 1, 1, 1, 3]);
  });

  it('C50 carry a number past 2^53 and an amount with its last zero', () => {
    expect(textOf('one-refund.json')).toContain('"order":2512292042121000001,"amount":49.90');
  });

  it('ask only for tools that the sample server has and the sample rows name', async () => {
    const tools = makeTools({ servers: () => [SAMPLE_SERVER], dataFolder: folder, env: {} });
    const opened = await tools.open(SAMPLE_SOURCE.profile?.servers ?? []);
    if (!opened.ok) throw new Error(opened.refusal.text);
    const listed = opened.value.tools.map((tool) => tool.name);
    const asked = records().flatMap((record) =>
      JSON.parse(new TextDecoder().decode(record.bytes)).pending_tool_calls.map((call: { name: string }) => call.name),
    );
    for (const name of asked) expect(listed).toContain(name);
    for (const name of listed) expect(toolFacts(SAMPLE_TOOL_ROWS, 'samples', 'samples', name).known).toBe(true);
    expect(toolFacts(SAMPLE_TOOL_ROWS, 'other', 'other', 'search_kb')).toMatchObject({ known: false, noReview: false });
  });

  it('come with settings that their own schemas accept', () => {
    expect(ToolServer.parse(SAMPLE_SERVER)).toEqual(SAMPLE_SERVER);
    expect(ModelEndpoint.parse(SAMPLE_MODEL)).toEqual(SAMPLE_MODEL);
    expect(Source.parse(SAMPLE_SOURCE)).toEqual(SAMPLE_SOURCE);
    for (const row of SAMPLE_TOOL_ROWS) expect(ToolRow.parse(row)).toEqual(row);
  });
});

describe('the sample server', () => {
  it('writes one line a call with the arguments as they came, and nothing for a wrong call', async () => {
    const tools = makeTools({ servers: () => [SAMPLE_SERVER], dataFolder: folder, env: {} });
    const opened = await tools.open(['samples']);
    if (!opened.ok) throw new Error(opened.refusal.text);
    const text = '{"order":2512292042121000001,"amount":49.90,"currency":"EUR"}';
    expect(await opened.value.call('issue_refund', text, { signal: never })).toEqual({
      kind: 'result',
      text: 'Refund of 49.9 EUR is booked.',
    });
    expect(await opened.value.call('issue_refund', '{"order":"x"}', { signal: never })).toMatchObject({
      kind: 'error',
    });
    expect(await opened.value.call('rob_bank', '{}', { signal: never })).toMatchObject({ kind: 'not_available' });
    expect(await opened.value.call('issue_refund', text, { signal: AbortSignal.abort() })).toMatchObject({
      kind: 'unknown',
    });
    const lines = readFileSync(ledgerPath(folder), 'utf8').split('\n');
    expect(lines).toHaveLength(2);
    expect(lines[0]?.split('\t').slice(1)).toEqual(['issue_refund', text]);
  });

  it('touches no file before the first call', async () => {
    const tools = makeTools({ servers: () => [SAMPLE_SERVER], dataFolder: folder, env: {} });
    expect(await tools.testServer('samples')).toMatchObject({
      ok: true,
      tools: expect.arrayContaining(['delete_records']),
    });
    expect(existsSync(ledgerPath(folder))).toBe(false);
  });
});

describe('the scripted model', () => {
  const models = makeModels({ endpoints: () => [SAMPLE_MODEL], keyOf: async () => null });
  const answer = (messages: Message[]) => models.complete('scripted', { messages, tools: [] }, { signal: never });
  const history = (name: string, texts: string[]): Message[] => {
    const record = JSON.parse(textOf(name));
    const calls = record.pending_tool_calls.map((call: { id: string; name: string; args: unknown }) => ({
      id: call.id,
      name: call.name,
      arguments: JSON.stringify(call.args),
    }));
    return [
      { role: 'user', content: record.messages[0].content, toolCalls: [], toolCallId: null },
      { role: 'assistant', content: '', toolCalls: calls, toolCallId: null },
      ...texts.map(
        (content, index): Message => ({ role: 'tool', content, toolCalls: [], toolCallId: calls[index].id }),
      ),
    ];
  };

  it('is reachable without a network and sums up each call by its tool', async () => {
    expect(await models.reachable('scripted')).toEqual({ ok: true, value: null });
    const said = await answer(
      history('three-at-once.json', ['booked', 'Human reviewer rejected this step: wrong tone', 'written']),
    );
    expect(said).toMatchObject({ kind: 'message', toolCalls: [], finishReason: 'stop' });
    if (said.kind !== 'message') throw new Error('no message');
    expect(said.content).toContain('- issue_refund: booked');
    expect(said.content).toContain('- send_email: Human reviewer rejected this step: wrong tone');
    expect(said.content).toContain('- write_file: written');
  });

  it('asks for one more call in the run that stops twice, and only once', async () => {
    const first = history('two-stops.json', ['booked']);
    const more = await answer(first);
    if (more.kind !== 'message') throw new Error('no message');
    expect(more).toMatchObject({ finishReason: 'tool_calls', toolCalls: [{ name: 'send_email' }] });
    const call = more.toolCalls[0];
    const second = await answer([
      ...first,
      { role: 'assistant', content: more.content, toolCalls: more.toolCalls, toolCallId: null },
      { role: 'tool', content: 'sent', toolCalls: [], toolCallId: call?.id ?? '' },
    ]);
    expect(second).toMatchObject({
      toolCalls: [],
      finishReason: 'stop',
      content: expect.stringContaining('- send_email: sent'),
    });
  });

  it('asks for nothing more after a rejection', async () => {
    expect(await answer(history('two-stops.json', ['Human reviewer rejected this step: not twice']))).toMatchObject({
      toolCalls: [],
    });
  });
});
