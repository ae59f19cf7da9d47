import { argumentsWarnings } from '../../../shared/argument-warnings.js';
import type { Message, PendingCall, Warning } from '../../../shared/checkpoint.js';
import type { DuplicateKey } from '../../../shared/json.js';
import { collidingIds, duplicatesElsewhere, emptyIds, type Places, transcriptWarnings } from '../batch-warnings.js';

interface Facts {
  messages: readonly Message[];
  pending: readonly PendingCall[] | null;
  latched: boolean;
  duplicates: readonly DuplicateKey[];
}

const PLACES: Places = {
  batch: 'pending_tool_calls',
  call: (index) => `pending_tool_calls[${index}]`,
  history: 'messages',
  message: (index) => `messages[${index}]`,
};

/** Everything about a readable klieo record that its reviewer must know. */
export function klieoWarnings(facts: Facts): Warning[] {
  const pending = facts.pending ?? [];
  const inArguments = (path: string): boolean => /^pending_tool_calls\[\d+\]\.args($|[.[])/.test(path);
  return [
    ...collidingIds(pending, PLACES),
    ...emptyIds(pending, PLACES, 'id'),
    ...pending.flatMap((call) => argumentsWarnings(call.arguments, `${PLACES.call(call.index)}.args`)),
    ...duplicatesElsewhere(facts.duplicates, inArguments),
    ...transcriptWarnings(facts.messages, pending, PLACES),
    ...(facts.latched ? [] : [mayHaveBeenAnswered(pending.length > 0)]),
  ];
}

/** A rejection, and an approval without calls, leave no mark in klieo's record (K15, H4). */
function mayHaveBeenAnswered(hasCalls: boolean): Warning {
  const how = hasCalls ? 'a rejection leaves no mark' : 'a resume without calls leaves no mark';
  const text = `may have been answered already where it comes from: ${how} in a klieo record`;
  return { code: 'may_have_been_answered', path: '', text, blocksApproval: false };
}
