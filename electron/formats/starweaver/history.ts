import type { Message } from '../../../shared/checkpoint.js';
import { raw } from '../../../shared/json.js';
import { pathText } from '../../../shared/json-path.js';
import { jsonList, jsonObject, jsonText } from '../json-text.js';
import { listOf, objectOf, textOf } from './nodes.js';
import type { View } from './parsed-view.js';
import { membersWithout } from './raw-object.js';
import { answerMessage, requestMessages } from './request-messages.js';
import { responseMessage } from './response-message.js';

/** One message of starweaver's history, and what the normal form makes of it. */
export interface HistoryEntry {
  /** As it stands in the record, or as it would be written. */
  text: string;
  path: string;
  messages: Message[];
}

export interface History {
  entries: HistoryEntry[];
  messages: Message[];
  /** For each message of the normal form, the path of what it was read from. */
  origins: string[];
  /** Kinds of parts that the normal form only names, with the first place of each. */
  named: Map<string, string>;
}

/** The conversation of a checkpoint in the normal form, oldest first. */
export function readHistory(view: View): History {
  const named = new Map<string, string>();
  const list = listOf(view.state, 'message_history');
  const entries = list.map((node, index): HistoryEntry => {
    const path = pathText([...view.base, 'state', 'message_history', index]);
    const note = (kind: string): void => {
      if (!named.has(kind)) named.set(kind, path);
    };
    const messages =
      textOf(node, 'kind') === 'request'
        ? requestMessages(view.text, node, note)
        : responseMessage(view.text, node, note);
    return { text: raw(view.text, node), path, messages };
  });
  const waiting = returnsToCome(view, entries);
  if (waiting !== null) entries.push(waiting);
  return {
    entries,
    messages: entries.flatMap((entry) => entry.messages),
    origins: entries.flatMap((entry) => entry.messages.map(() => entry.path)),
    named,
  };
}

/**
 * Answers that came and are not in the history yet: before a run waits, each answer makes a checkpoint (S6). Those of
 * calls that pend are no answers.
 */
function returnsToCome(view: View, entries: readonly HistoryEntry[]): HistoryEntry | null {
  const answered = new Set(entries.flatMap((entry) => entry.messages.map((message) => message.toolCallId)));
  const fresh = listOf(view.state, 'pending_tool_returns').filter(
    (node) =>
      textOf(objectOf(node, 'metadata'), 'control_flow') === null && !answered.has(textOf(node, 'tool_call_id')),
  );
  if (fresh.length === 0) return null;
  const parts = fresh.map((node) =>
    jsonObject([['kind', '"tool_return"'], ...membersWithout(view.text, node, new Set(['kind']))]),
  );
  const ids = ['run_id', 'conversation_id'].map((key): [string, string] => {
    return [key, jsonText(textOf(view.payload, key) ?? '')];
  });
  const text = jsonObject([['kind', '"request"'], ['parts', jsonList(parts)], ...ids]);
  const messages = fresh.map((node) => answerMessage(view.text, node));
  return { text, path: pathText([...view.base, 'state', 'pending_tool_returns']), messages };
}
