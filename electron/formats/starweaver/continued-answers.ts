import type { Message } from '../../../shared/checkpoint.js';
import { usableIds } from '../../../shared/usable-ids.js';
import type { EndedCall } from '../format.js';
import { jsonText } from '../json-text.js';
import { textDigest } from '../text-digest.js';
import type { PendingItem } from './pending.js';
import { questionsOf, resultOfQuestion } from './question.js';
import { rejectionReason } from './rejection-reason.js';
import { type Answered, approvedReturn, deferredReturn, deniedReturn, plainReturn } from './returns.js';

/** The run that goes on: what it waited for, and how each of that ended. */
export interface Source {
  runId: string;
  items: readonly PendingItem[];
  ended: readonly EndedCall[];
}

/**
 * Writes each answer that is new in the continued conversation as starweaver would (S14). Only the first answer under the
 * id of a pending call is that call's; a later step may use the id again.
 */
export function answerWriter(source: Source, messages: readonly Message[]): (message: Message) => string {
  const { runId, items, ended } = source;
  const ids = usableIds(
    runId,
    items.map((item) => ({ id: item.callId, argumentsSha256: textDigest(item.arguments) })),
  );
  const open = new Map(ids.map((id, index) => [id, index]));
  const names = new Map(messages.flatMap((message) => message.toolCalls.map((call) => [call.id, call.name])));
  return (message) => {
    const callId = message.toolCallId ?? '';
    const index = open.get(callId);
    const item = index === undefined ? undefined : items[index];
    if (item === undefined) {
      return plainReturn({ callId, name: names.get(callId) ?? '' }, jsonText(message.content), false);
    }
    open.delete(callId);
    const how = ended.find((end) => end.index === index) ?? toldByText(message.content);
    return pendingAnswer(runId, item, { callId, name: item.name }, message.content, how);
  };
}

function toldByText(answer: string): Omit<EndedCall, 'index'> {
  const reason = rejectionReason(answer);
  return reason === null ? { how: 'done' } : { how: 'rejected', reason };
}

function pendingAnswer(
  runId: string,
  item: PendingItem,
  call: Answered,
  answer: string,
  { how, reason, by }: Omit<EndedCall, 'index'>,
): string {
  const content = jsonText(answer);
  if (item.needs === 'result') {
    if (how === 'done') return deferredReturn(runId, call, { status: 'completed', response: content });
    if (how === 'failed') return deferredReturn(runId, call, { status: 'failed', response: content });
    const response = reason === undefined ? 'null' : jsonText(reason);
    return deferredReturn(runId, call, { status: 'cancelled', response });
  }
  const asked = questionsOf(item.name, item.arguments);
  if (asked !== null && how !== 'rejected')
    return how === 'done'
      ? approvedReturn(call, resultOfQuestion(asked, answer), false)
      : deniedReturn(call, { reason: answer, ...(by === undefined ? {} : { by }) });
  if (how !== 'rejected') return approvedReturn(call, content, how === 'failed');
  const given = reason === undefined || reason.trim() === '' ? {} : { reason };
  return deniedReturn(call, { ...given, ...(by === undefined ? {} : { by }) });
}
