import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { z } from 'zod';
import type { ToolOutcome } from '../ports.js';
import { startDeadline } from './deadline.js';
import { wordsOf } from './fault-words.js';
import type { AnsweredError, RawArguments } from './raw-arguments.js';
import { capText, resultText } from './result-text.js';

/** Any object: a tool that has answered has run, so an odd shape must not look like a lost call. */
const AnyResult = z.looseObject({ isError: z.boolean().optional().catch(undefined) });

/** How long after our own limit the library would end a request by itself; never reached. */
const LIBRARY_SLACK = 60_000;

/**
 * One tools/call with the arguments as raw text. An answer of the server is a `result` or an `error`, whatever it
 * says: no code and no words of a server prove that nothing ran, so a request that was written is never
 * `not_available`. Everything without an answer may have run and is `unknown` (H7).
 */
export async function callOverMcp(
  client: Client,
  raw: RawArguments,
  call: { server: string; tool: string; argumentsText: string; timeoutMs: number; signal: AbortSignal },
): Promise<ToolOutcome> {
  const request = raw.hold(call.argumentsText);
  // A signal of its own for each call: the library keeps listening on the one it is given.
  const deadline = startDeadline(call.signal, call.timeoutMs);
  const unknown = (cause: 'timeout' | 'connection_lost' | 'cancelled', words: string): ToolOutcome => ({
    kind: 'unknown',
    cause,
    text: request.written() ? words : `${words} The request had not been written to the connection.`,
  });
  try {
    const result = await client.request(
      { method: 'tools/call', params: { name: call.tool, arguments: request.placeholder } },
      AnyResult,
      { signal: deadline.signal, timeout: call.timeoutMs + LIBRARY_SLACK },
    );
    return { kind: result.isError === true ? 'error' : 'result', text: answerText(result) };
  } catch (fault) {
    const answered = request.answeredError();
    if (answered !== null) return { kind: 'error', text: errorText(answered) };
    switch (deadline.cause()) {
      case 'timeout':
        return unknown(
          'timeout',
          `The tool server “${call.server}” gave no answer in ${call.timeoutMs / 1000} seconds.`,
        );
      case 'cancelled':
        return unknown('cancelled', 'Cancelled while the tool server had not answered.');
      case null:
        return unknown(
          'connection_lost',
          `The connection to the tool server “${call.server}” was lost: ${wordsOf(fault)}.`,
        );
    }
  } finally {
    deadline.release();
    request.release();
  }
}

/** The tool has answered, so a result that nobody can render must not look like a lost call. */
function answerText(result: unknown): string {
  try {
    return resultText(result);
  } catch (fault) {
    return `[The tool has answered, but its answer could not be rendered: ${wordsOf(fault)}]`;
  }
}

/** The server's own words and nothing added: whether the tool ran is not told by them. */
function errorText(error: AnsweredError): string {
  return error.message.trim() === '' ? `The tool server answered with error ${error.code}.` : capText(error.message);
}
