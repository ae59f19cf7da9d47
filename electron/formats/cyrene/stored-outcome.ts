import type { StoredOutcome } from '../format.js';
import { endingOf } from './ending.js';
import { openSession } from './read.js';

/** The last answer of a session that ended with one. */
export function storedOutcome(bytes: Uint8Array): StoredOutcome | null {
  const opened = openSession(bytes);
  if (!opened.ok || endingOf(opened.state.stopReason).kind !== 'final_answer') return null;
  const last = opened.window.messages.at(-1);
  if (last?.role !== 'assistant') return null;
  return { answer: last.content, facts: [{ name: 'Steps', value: String(opened.session.latest.step) }] };
}
