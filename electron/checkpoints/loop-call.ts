import { sendable } from '../../shared/arguments.js';
import type { ToolCall } from '../../shared/checkpoint.js';
import type { CallEntry } from '../../shared/journal.js';
import { formatNs } from '../../shared/time.js';
import type { Ports, ToolSession } from '../ports.js';
import { argumentsDigest } from './digest.js';
import type { OpenJournal } from './journal.js';

/**
 * Runs one call that the reviewer's table marks "no review needed", with the same journal as a reviewed one: started
 * before, outcome after. Answers with the text for the model, or null when nobody knows whether it ran (I8).
 */
export async function runLoopCall(
  ports: Ports,
  open: OpenJournal,
  tools: ToolSession,
  call: ToolCall,
  step: number,
  signal: AbortSignal,
  effectKey: (call: number) => Pick<CallEntry, 'effectKey'> = () => ({}),
): Promise<string | null> {
  const now = () => formatNs(ports.clock.now());
  const known = open.journal.loop.findIndex((entry) => entry.id === call.id && entry.step === step);
  const before = open.journal.loop[known];
  if (before?.state === 'done' || before?.state === 'failed') return open.answer(before);
  if (before?.state === 'unknown' || before?.state === 'started') return null;
  const at =
    before !== undefined
      ? known
      : await open.addLoop({
          index: open.journal.loop.length,
          name: call.name,
          id: call.id ?? '',
          step,
          arguments: call.arguments,
          state: 'not_started',
          argumentsSha256: argumentsDigest(call.arguments),
          edited: false,
          ...effectKey(open.journal.loop.filter((entry) => entry.step === step).length),
          reconciled: [],
        });
  const text = sendable(call.arguments);
  if (!text.ok) {
    await open.moveLoop(at, 'failed', {
      cause: 'not_sendable',
      result: `Not executed: ${text.reason}`,
      endedAt: now(),
    });
    return `Not executed: ${text.reason}`;
  }
  await open.moveLoop(at, 'started', { startedAt: now() });
  await ports.at?.('loop.before-call');
  const outcome = await tools.call(call.name, text.text, { signal });
  await ports.at?.('loop.before-outcome');
  if (outcome.kind === 'unknown') {
    await open.moveLoop(at, 'unknown', { cause: outcome.cause, result: outcome.text, endedAt: now() });
    return null;
  }
  const failed = outcome.kind !== 'result';
  const result = outcome.kind === 'not_available' ? `Not executed: ${outcome.text}` : outcome.text;
  await open.moveLoop(at, failed ? 'failed' : 'done', {
    ...(failed ? { cause: outcome.kind === 'error' ? 'tool_error' : 'tool_not_available' } : {}),
    result,
    endedAt: now(),
  });
  return result;
}
