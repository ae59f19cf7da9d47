import { type JsonNode, raw } from '../../../shared/json.js';
import { type Carried, carryOver, openTurn } from '../carry-over.js';
import type { Continued } from '../format.js';
import { jsonList, jsonObject, jsonText } from '../json-text.js';
import { child } from '../refuse-record.js';
import { FINAL_ANSWER, TOOL_CALLS } from './ending.js';
import { folded, goMember } from './go-struct.js';
import { goText } from './go-text.js';
import type { Window } from './held-step.js';
import { keptText, messageText } from './message-text.js';
import { nextUpdate } from './next-row.js';
import { openSession } from './read.js';
import type { CyreneRow } from './rows.js';
import type { CyreneState } from './state.js';

const COLUMNS = ['id', 'agent_id', 'step', 'state', 'updated_at'];
const STATE_KEYS = ['step', 'messages', 'stop_reason', 'holdpoint_pending'];

/**
 * The row of the next step: a new row, so that no earlier one is touched. Its step counts the answers of the model since
 * the row it goes on from. Messages of that row keep their text; columns and keys that nobody here knows stay.
 */
export function writeContinued(bytes: Uint8Array, continued: Continued): Uint8Array {
  const opened = openSession(bytes);
  if (!opened.ok) throw new Error(`not a readable Cyrene session: ${opened.refusal.text}`);
  const { session, state, window } = opened;
  const carried = carryOver(window.messages, continued.messages);
  const open = openTurn(carried.map(({ message }) => message)) ?? carried.length;
  const answers = carried.filter(({ message, from }) => from === null && message.role === 'assistant').length;
  const step = session.latest.step + Math.max(1, answers);
  const last = carried.at(-1);
  const answered = last?.from === null && last.message.role === 'assistant' && continued.pending === null;
  const finished = open === carried.length && (continued.completed !== undefined || answered);
  const stateText = nextState(state, window, carried, { open, step, stopReason: finished ? FINAL_ANSWER : TOOL_CALLS });
  return new TextEncoder().encode(
    rowText(session.latest, step, stateText, nextUpdate(session.latest, continued.createdAt)),
  );
}

function nextState(
  state: CyreneState,
  window: Window,
  carried: readonly Carried[],
  next: { open: number; step: number; stopReason: string },
): string {
  const texts = carried.map((item) => textOf(state, window, item));
  const unknown =
    state.root.kind === 'object' ? state.root.entries.filter(({ key }) => !STATE_KEYS.includes(folded(key))) : [];
  const held = texts.slice(next.open);
  return jsonObject([
    ['step', String(next.step)],
    ['messages', jsonList(texts.slice(0, next.open))],
    ['stop_reason', goText(next.stopReason)],
    ...unknown.map(({ key, value }) => [key, raw(state.text, value)] as const),
    ...(held.length === 0 ? [] : [['holdpoint_pending', jsonList(held)] as const]),
  ]);
}

function textOf({ text, root }: CyreneState, { messages, stable }: Window, { message, from }: Carried): string {
  const before = from === null ? undefined : messages[from];
  if (from === null || before === undefined) return messageText(message);
  const list = goMember(root, from < stable ? 'messages' : 'holdpoint_pending');
  const node = list?.kind === 'array' ? list.items[from < stable ? from : from - stable] : undefined;
  return node === undefined ? messageText(message) : keptText(text, node, before, message);
}

function rowText({ place, sessionId }: CyreneRow, step: number, state: string, updatedAt: string): string {
  const [index] = place.path;
  const row: JsonNode | undefined = index === undefined ? place.root : child(place.root, index);
  const unknown = row?.kind === 'object' ? row.entries.filter(({ key }) => !COLUMNS.includes(key)) : [];
  return jsonObject([
    ['id', jsonText(`${sessionId}:${step}`)],
    ['agent_id', jsonText(sessionId)],
    ['step', String(step)],
    ['state', jsonText(state)],
    ['updated_at', jsonText(updatedAt)],
    ...unknown.map(({ key, value }) => [key, raw(place.text, value)] as const),
  ]);
}
