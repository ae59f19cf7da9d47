import type { StoredOutcome } from '../format.js';
import { textOf } from './nodes.js';
import { stepOf } from './state.js';
import { viewAgain } from './view.js';

/** The output of a completed run. */
export function storedOutcome(bytes: Uint8Array): StoredOutcome | null {
  const view = viewAgain(bytes);
  if (textOf(view.state, 'status') !== 'completed') return null;
  const facts = [{ name: 'Steps', value: String(stepOf(view)) }];
  return { answer: textOf(view.state, 'output') ?? '', facts };
}
