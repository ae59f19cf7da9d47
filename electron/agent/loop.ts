import type { Message, ToolCall } from '../../shared/checkpoint.js';
import type { ListedTool, ModelAnswer, Models } from '../ports.js';
import { boundHistory } from './memory.js';

/** What a review policy is asked, once a step, before any tool of it runs (K1). */
export interface StepReview {
  /** 1-based. */
  step: number;
  message: Message;
  finishReason: string;
}
export type Review = { kind: 'proceed' } | { kind: 'suspend'; reason: string } | { kind: 'error'; text: string };
export type ReviewPolicy = (review: StepReview) => Review;

export type LoopEnd =
  | { kind: 'completed'; answer: string; step: number; messages: Message[] }
  /** `pending` null: the step did not finish with tool calls (K2). */
  | { kind: 'suspended'; reason: string; step: number; messages: Message[]; pending: ToolCall[] | null }
  | { kind: 'not_continued'; cause: 'model_unreachable'; text: string }
  | { kind: 'unknown'; text: string }
  | {
      kind: 'failed';
      cause: 'model_refused' | 'max_steps' | 'cancelled' | 'review_error' | 'bad_response';
      text: string;
    };

export interface LoopInput {
  messages: readonly Message[];
  /** The step at which the loop re-enters: the same number, not the next (K6). */
  step: number;
  maxSteps: number;
  model: string;
  models: Models;
  tools: readonly ListedTool[];
  historyLimit: number;
  policy: ReviewPolicy;
  signal: AbortSignal;
  /** Makes the history durable before anything is done on it. */
  save(messages: readonly Message[], step: number): Promise<void>;
  /** Runs one call that needs no review, journalled; null when its outcome is unknown. */
  run(call: ToolCall, step: number): Promise<string | null>;
}

/** The default policy: every call whose tool is not marked "no review needed" suspends the run at its step. */
export function reviewUnlessMarked(noReview: (tool: string) => boolean): ReviewPolicy {
  return ({ message }) => {
    const held = message.toolCalls.filter((call) => !noReview(call.name)).map((call) => call.name);
    return held.length === 0 ? { kind: 'proceed' } : { kind: 'suspend', reason: `Needs review: ${held.join(', ')}` };
  };
}

/** Asks the model, step after step, until the run suspends, completes or fails. */
export async function runLoop(input: LoopInput): Promise<LoopEnd> {
  let messages = [...input.messages];
  for (let { step } = input; ; step++) {
    const open = unansweredTail(messages);
    if (open.length > 0) {
      // A crash came between a call that needs no review and its answer: finish that step first, by the same policy.
      const last = messages.findLast((message) => message.role === 'assistant');
      const again = last && input.policy({ step, message: { ...last, toolCalls: open }, finishReason: 'tool_calls' });
      if (again?.kind !== 'proceed')
        return {
          kind: 'failed',
          cause: 'review_error',
          text: 'A call without an answer needs review; it was not run.',
        };
      const ran = await runCalls(input, messages, open, step);
      if (ran === null) return { kind: 'unknown', text: 'The outcome of a call is unknown.' };
      messages = ran;
      continue;
    }
    if (step > input.maxSteps)
      return { kind: 'failed', cause: 'max_steps', text: `The run reached its limit of ${input.maxSteps} steps.` };
    const answer = await input.models.complete(
      input.model,
      { messages: boundHistory(messages, input.historyLimit), tools: input.tools },
      { signal: input.signal },
    );
    if (answer.kind !== 'message') return cutShort(answer);
    const message: Message = {
      role: 'assistant',
      content: answer.content,
      toolCalls: answer.toolCalls.map((call) => ({ ...call })),
      toolCallId: null,
    };
    const review = input.policy({ step, message, finishReason: answer.finishReason });
    if (review.kind === 'error') return { kind: 'failed', cause: 'review_error', text: review.text };
    if (review.kind === 'suspend') {
      messages = [...messages, message];
      const pending = answer.finishReason === 'tool_calls' ? message.toolCalls.map((call) => ({ ...call })) : null;
      return { kind: 'suspended', reason: review.reason, step, messages, pending };
    }
    if (message.toolCalls.length === 0) {
      if (answer.finishReason !== 'stop' && message.content === '')
        return {
          kind: 'failed',
          cause: 'bad_response',
          text: `The model ended with "${answer.finishReason}" and no text.`,
        };
      messages = [...messages, message];
      await input.save(messages, step);
      return { kind: 'completed', answer: message.content, step, messages };
    }
    const named = withUniqueIds(message, messages.length);
    messages = [...messages, named];
    await input.save(messages, step);
    const ran = await runCalls(input, messages, named.toolCalls, step);
    if (ran === null) return { kind: 'unknown', text: 'The outcome of a call is unknown.' };
    messages = ran;
  }
}

async function runCalls(
  input: LoopInput,
  messages: readonly Message[],
  calls: readonly ToolCall[],
  step: number,
): Promise<Message[] | null> {
  let next = [...messages];
  for (const call of calls) {
    const text = await input.run(call, step);
    if (text === null) return null;
    next = [...next, { role: 'tool', content: text, toolCalls: [], toolCallId: call.id }];
    // The step is done when its last call is answered; until then the loop re-enters at it.
    await input.save(next, call === calls.at(-1) ? step + 1 : step);
  }
  return next;
}

/** The calls of the last assistant message that no message after it answers. */
function unansweredTail(messages: readonly Message[]): ToolCall[] {
  const at = messages.findLastIndex((message) => message.role === 'assistant');
  const answered = messages.slice(at + 1).map((message) => message.toolCallId);
  return at < 0 ? [] : (messages[at]?.toolCalls ?? []).filter((call) => !answered.includes(call.id));
}

/** Ids that providers take: the model's own where they are usable, else made from the place in the history (H8). */
function withUniqueIds(message: Message, at: number): Message {
  const ids = message.toolCalls.map((call) => call.id);
  const toolCalls = message.toolCalls.map((call, i) =>
    call.id && ids.indexOf(call.id) === ids.lastIndexOf(call.id) ? call : { ...call, id: `hp-${at}-${i}` },
  );
  return { ...message, toolCalls };
}

function cutShort(answer: Exclude<ModelAnswer, { kind: 'message' }>): LoopEnd {
  switch (answer.kind) {
    case 'unreachable':
      return { kind: 'not_continued', cause: 'model_unreachable', text: answer.text };
    case 'refused':
      return {
        kind: 'failed',
        cause: 'model_refused',
        text: `The model's endpoint answered ${answer.status}: ${answer.text}`,
      };
    case 'cancelled':
      return { kind: 'failed', cause: 'cancelled', text: 'Cancelled by a person while the model was asked.' };
  }
}
