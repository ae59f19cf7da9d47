import { sendable } from '../../shared/arguments.js';
import type { Message, PendingCall, Warning } from '../../shared/checkpoint.js';
import type { Places } from './batch-warnings.js';

/** Told one by one up to here. */
const MOST = 20;

/**
 * Calls of the history whose arguments are no object: a strict provider refuses the whole conversation for it, which is
 * better known before something fires (C49). The pending calls tell theirs themselves.
 */
export function historyArguments(
  messages: readonly Message[],
  pending: readonly PendingCall[],
  places: Pick<Places, 'history' | 'message'>,
): Warning[] {
  const last = pending.length === 0 ? -1 : messages.findLastIndex((message) => message.toolCalls.length > 0);
  const found = messages.flatMap((message, at) =>
    at === last ? [] : message.toolCalls.flatMap((call) => fault(call, places.message(at))),
  );
  if (found.length <= MOST) return found;
  const text = `and ${found.length - MOST} more calls with arguments that are no object`;
  return [...found.slice(0, MOST), { code: 'history_arguments', path: places.history, text, blocksApproval: false }];
}

function fault(call: Message['toolCalls'][number], path: string): Warning[] {
  const sent = sendable(call.arguments);
  if (sent.ok) return [];
  const name = call.id ? `${call.id} (${call.name})` : call.name;
  const text = `the arguments of call ${name} in the history are not a JSON object (${sent.reason}): a strict provider refuses to go on from this conversation`;
  return [{ code: 'history_arguments', path, text, blocksApproval: false }];
}
