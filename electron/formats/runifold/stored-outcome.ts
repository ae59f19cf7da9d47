import type { StoredOutcome } from '../format.js';
import { outcomeOf } from './outcome.js';
import { usageText } from './usage-shape.js';

/** What stands in a completed checkpoint; no model is asked for it (R6). */
export function storedOutcome(bytes: Uint8Array): StoredOutcome | null {
  const outcome = outcomeOf(bytes);
  if (outcome === null) return null;
  const usage = { name: 'Usage', value: usageText(outcome.usage) };
  if (outcome.kind === 'workflow')
    return { answer: outcome.output, facts: [{ name: 'Steps', value: outcome.steps }, usage] };
  const { answer, response, transcript, turns, toolCalls, delegations } = outcome;
  return {
    answer,
    facts: [
      { name: 'Turns', value: String(turns) },
      { name: 'Tool calls', value: String(toolCalls) },
      { name: 'Delegations', value: String(delegations) },
      { name: 'Messages', value: String(transcript.length) },
      usage,
      { name: 'Response', value: response },
    ],
  };
}
