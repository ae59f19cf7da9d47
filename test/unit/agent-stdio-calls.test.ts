import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeTools, type ToolServers } from '../../electron/agent/tool-servers.js';
import type { ToolSession } from '../../electron/ports.js';
import { type Ledger, makeLedger } from '../helpers/ledger.js';

const never = new AbortController().signal;
let ledger: Ledger;
let tools: ToolServers;

beforeEach(() => {
  ledger = makeLedger();
  tools = makeTools({ servers: () => [ledger.server], dataFolder: ledger.folder, env: process.env });
});
afterEach(async () => {
  await tools.closeAll();
  ledger.remove();
});

async function session(): Promise<ToolSession> {
  const opened = await tools.open(['ledger']);
  if (!opened.ok) throw new Error(opened.refusal.text);
  return opened.value;
}

describe('calls over stdio', () => {
  it('C50 I6 sends the argument text byte for byte: digits past 2^53, 1.0 and key order', async () => {
    const text =
      '{"id":2512292042121000001,"neg":-9007199254740993,"price":0.1000000000000000055511151231257827,"tiny":1.0,"z":1,"a":"\\u00e9 ü $& $1"}';
    const outcome = await (await session()).call('update_record', text, { signal: never });
    expect(outcome).toEqual({ kind: 'result', text: 'update_record done' });
    expect(ledger.lines().map((line) => line.arguments)).toEqual([text]);
    const calls = ledger.received().filter((line) => line.includes('tools/call'));
    expect(calls).toHaveLength(1);
    expect(calls[0]).toContain(`"arguments":${text}`);
  });

  it('C50 sends the arguments of the case as they stand in the record', async () => {
    const record = readFileSync(
      new URL('../fixtures/cases/C50-integers-past-2-53/checkpoint.json', import.meta.url),
      'utf8',
    );
    const text = /"args":(\{.*?\}\})\}\]/.exec(record)?.[1] ?? '';
    expect(text).toContain('2512292042121000001');
    await (await session()).call('update_record', text, { signal: never });
    expect(ledger.lines()[0]?.arguments).toBe(text);
  });

  it('keeps a message in one line when the arguments are printed over several', async () => {
    const text = '{\r\n  "to": "Vendor 3",\n  "amount": 80.0\n}';
    await (await session()).call('send_payment', text, { signal: never });
    expect(ledger.lines()[0]?.arguments).toBe('{    "to": "Vendor 3",   "amount": 80.0 }');
  });

  it('H7 a result with isError has answered: error, with its text', async () => {
    ledger.script({ send_payment: { isError: true, text: 'account is closed' } });
    expect(await (await session()).call('send_payment', '{}', { signal: never })).toEqual({
      kind: 'error',
      text: 'account is closed',
    });
  });

  it('H7 a JSON-RPC error has answered, also with the codes that the library uses for its own faults', async () => {
    const open = await session();
    for (const code of [-32000, -32001, -32602, -32603, 5]) {
      ledger.script({ send_payment: { error: { code, message: `refused with ${code}` } } });
      expect(await open.call('send_payment', '{}', { signal: never })).toEqual({
        kind: 'error',
        text: `refused with ${code}`,
      });
    }
  });

  it('C40 a tool that no server lists is not available and nothing is sent', async () => {
    const open = await session();
    const before = ledger.received().length;
    const outcome = await open.call('legacy_export', '{"format":"csv"}', { signal: never });
    expect(outcome).toMatchObject({ kind: 'not_available' });
    expect(ledger.received()).toHaveLength(before);
    expect(ledger.lines()).toEqual([]);
  });

  it('H7 whatever a server answers to a request that was written, it is never told as not sent', async () => {
    const open = await session();
    for (const error of [
      { code: -32602, message: 'receipt printer not found' },
      { code: -32601, message: 'no such tool: receipt printer' },
      { code: -32602, message: 'Unknown tool: send_payment' },
      { code: -32601, message: 'Method not found' },
    ]) {
      ledger.script({ send_payment: { error } });
      const outcome = await open.call('send_payment', '{}', { signal: never });
      expect(outcome).toEqual({ kind: 'error', text: error.message });
    }
    expect(ledger.lines()).toHaveLength(4);
  });

  it('H7 a tool that went away after the listing has answered with the words of the server', async () => {
    ledger.script({ send_payment: { gone: true } });
    const outcome = await (await session()).call('send_payment', '{}', { signal: never });
    expect(outcome).toEqual({ kind: 'error', text: 'Unknown tool: send_payment' });
  });

  it('H7 an error without words still has a text', async () => {
    ledger.script({ send_payment: { error: { code: 7, message: '' } } });
    const outcome = await (await session()).call('send_payment', '{}', { signal: never });
    expect(outcome).toEqual({ kind: 'error', text: 'The tool server answered with error 7.' });
  });

  it('H7 an answer nested thousands deep has answered', async () => {
    ledger.script({ send_payment: { content: [], structuredDepth: 20_000 } });
    const outcome = await (await session()).call('send_payment', '{}', { signal: never });
    expect(outcome).toMatchObject({ kind: 'result', text: expect.stringContaining('not shown') });
    expect(ledger.lines()).toHaveLength(1);
  });

  it.each(['', '[]', '"{}"', 'null', '{"a":1},"id":9', '{"a":'])(
    'arguments %j are never put into a request',
    async (text) => {
      const open = await session();
      const before = ledger.received().length;
      expect(await open.call('send_payment', text, { signal: never })).toMatchObject({ kind: 'not_available' });
      expect(ledger.received()).toHaveLength(before);
    },
  );

  it('C05 H7 no answer in time is unknown, and the line is there', async () => {
    ledger.server.timeoutSeconds = 1;
    ledger.script({ send_payment: { noAnswer: true } });
    const outcome = await (await session()).call('send_payment', '{}', { signal: never });
    expect(outcome).toMatchObject({ kind: 'unknown', cause: 'timeout' });
    expect(ledger.lines()).toHaveLength(1);
  });

  it('C05 H7 a server that dies between effect and answer is unknown, and the line is there', async () => {
    ledger.script({ send_payment: { crash: true } });
    const open = await session();
    const outcome = await open.call('send_payment', '{}', { signal: never });
    expect(outcome).toMatchObject({ kind: 'unknown', cause: 'connection_lost' });
    expect(ledger.lines()).toHaveLength(1);
    const after = await open.call('send_payment', '{}', { signal: never });
    expect(after).toMatchObject({
      kind: 'unknown',
      cause: 'connection_lost',
      text: expect.stringContaining('had not been written'),
    });
    expect(ledger.lines()).toHaveLength(1);
  });

  it('H7 cancelling while the server works is unknown', async () => {
    ledger.script({ send_payment: { noAnswer: true } });
    const open = await session();
    const cancel = new AbortController();
    const running = open.call('send_payment', '{}', { signal: cancel.signal });
    while (ledger.lines().length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    cancel.abort();
    expect(await running).toMatchObject({ kind: 'unknown', cause: 'cancelled' });
  });

  it('a signal raised before the call sends nothing', async () => {
    const open = await session();
    const outcome = await open.call('send_payment', '{}', { signal: AbortSignal.abort() });
    expect(outcome).toMatchObject({
      kind: 'unknown',
      cause: 'cancelled',
      text: expect.stringContaining('had not been written'),
    });
    expect(ledger.lines()).toEqual([]);
  });

  it('C12 three calls in order are three lines in that order', async () => {
    const open = await session();
    for (const target of ['a', 'b', 'c']) await open.call('roll_out', `{"target":"${target}"}`, { signal: never });
    expect(ledger.lines().map((line) => line.arguments)).toEqual([
      '{"target":"a"}',
      '{"target":"b"}',
      '{"target":"c"}',
    ]);
  });

  it('a cancel after a call has ended says nothing to the server', async () => {
    const open = await session();
    const cancel = new AbortController();
    await open.call('roll_out', '{}', { signal: cancel.signal });
    cancel.abort();
    await open.call('roll_out', '{}', { signal: never });
    expect(ledger.received().filter((line) => line.includes('notifications/cancelled'))).toEqual([]);
  });
});
