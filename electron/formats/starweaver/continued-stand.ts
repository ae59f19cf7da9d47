import type { Continued } from '../format.js';
import { jsonText } from '../json-text.js';
import { alignHistory } from './align-history.js';
import { approvalRequired } from './approval-required.js';
import { answerWriter } from './continued-answers.js';
import { callText, historyTexts, type Stamp } from './continued-messages.js';
import { derivedRunId } from './derived-ids.js';
import { readHistory } from './history.js';
import { textOf } from './nodes.js';
import type { View } from './parsed-view.js';
import { pendingItems } from './pending.js';
import type { RunStatus } from './shape.js';

/** Where the continued run stands. */
export interface Stand extends Stamp {
  step: number;
  node: string;
  status: RunStatus;
  history: string[];
  /** Texts of the calls of the batch, and of the approvals that it waits for. */
  batch: string[];
  approvals: string[];
  answer: string | undefined;
}

/** Waits again, is over, or was cut short: then the next thing to do is to ask the model. */
export function standOf(view: View, continued: Continued): Stand {
  const runId = continued.newRunId ?? derivedRunId(view.text);
  const stamp: Stamp = {
    runId,
    conversationId: textOf(view.payload, 'conversation_id') ?? '',
    at: continued.createdAt,
  };
  const { messages, completed } = continued;
  const source = {
    runId: textOf(view.payload, 'run_id') ?? '',
    items: pendingItems(view),
    ended: continued.ended ?? [],
  };
  const pieces = alignHistory(readHistory(view).entries, messages);
  const pending = completed === undefined ? (continued.pending ?? []) : [];
  const asked = messages.findLast((message) => message.role === 'assistant')?.toolCalls ?? [];
  const whole = pending.length === 0 ? [] : asked.length === 0 ? pending : asked;
  return {
    ...stamp,
    step: continued.step,
    ...(completed !== undefined
      ? { node: 'run_complete', status: 'completed' }
      : pending.length > 0
        ? { node: 'tool_return', status: 'waiting' }
        : { node: 'prepare_model_request', status: 'running' }),
    history: historyTexts(pieces, stamp, answerWriter(source, messages)),
    batch: whole.map(callText),
    approvals: pending.map(approvalRequired),
    answer: completed === undefined ? undefined : jsonText(completed.answer),
  };
}
