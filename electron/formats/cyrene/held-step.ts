import type { Message, PendingCall } from '../../../shared/checkpoint.js';
import { textDigest } from '../text-digest.js';
import { endingOf } from './ending.js';
import { normalMessages } from './messages.js';
import type { CyreneState } from './state.js';

/** The conversation of a row, and the calls of a step that Holdpoint holds for a person, if any. */
export interface Window {
  messages: Message[];
  /** How many of `messages` are Cyrene's own window. */
  stable: number;
  /** Null where nobody is asked, which is what Cyrene itself always writes (C5). */
  pending: PendingCall[] | null;
  /** The message that asks, -1 where none does. */
  asking: number;
}

/**
 * A step that is continued here and needs a person stands beside the window, under a key of our own, so that Cyrene,
 * which ignores the key, would only ask its model again: nothing of that step has run.
 */
export function windowOf(state: CyreneState): Window {
  const stable = state.messages.length;
  const held = endingOf(state.stopReason).kind === 'interrupted' ? state.held : [];
  const messages = normalMessages([...state.messages, ...held]);
  const asking = messages.findLastIndex((message, at) => at >= stable && message.toolCalls.length > 0);
  const calls = messages[asking]?.toolCalls ?? [];
  const place = `state.holdpoint_pending[${asking - stable}].tool_calls`;
  const pending = calls.map((call, index) => ({
    index,
    ...call,
    argumentsSha256: textDigest(call.arguments),
    paths: [`${place}[${index}]`],
  }));
  return { messages, stable, pending: asking === -1 ? null : pending, asking };
}

/** Path in the state of one message. */
export function placeOfMessage({ stable }: Window, at: number): string {
  return at < stable ? `state.messages[${at}]` : `state.holdpoint_pending[${at - stable}]`;
}
