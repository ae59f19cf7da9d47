import { endingOf, endingText } from './ending.js';
import type { CyreneRow } from './rows.js';
import type { Session } from './session.js';

/** Steps shown one by one; the oldest beyond that are counted. */
const MOST = 50;

/** All steps of a session, the oldest update first, one line a step. */
export function timeline({ rows, latest }: Session): { name: string; value: string }[] {
  const shown = rows.slice(-MOST).map((row) => ({
    name: `Step ${row.step}`,
    value: `${row.updatedAt}: ${rowText(row)}${row === latest ? ' (latest)' : ''}`,
  }));
  const left = rows.length - shown.length;
  return left === 0 ? shown : [{ name: 'Earlier steps', value: String(left) }, ...shown];
}

function rowText({ state }: CyreneRow): string {
  if (!state.ok) return `cannot be decoded: ${state.words}`;
  const { messages, stopReason } = state.state;
  const ending = endingOf(stopReason);
  const end = ending.kind === 'interrupted' ? 'interrupted' : `ended with ${endingText(ending)}`;
  return `${end}, ${messages.length} ${messages.length === 1 ? 'message' : 'messages'}`;
}
