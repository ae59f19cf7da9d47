import { argumentsWarnings } from '../../../shared/argument-warnings.js';
import type { Message, PendingCall, Warning } from '../../../shared/checkpoint.js';
import type { DuplicateKey } from '../../../shared/json.js';
import { checkTranscript } from '../../../shared/transcript.js';

interface Facts {
  messages: readonly Message[];
  pending: readonly PendingCall[] | null;
  latched: boolean;
  duplicates: readonly DuplicateKey[];
}

/** Everything about a readable klieo record that its reviewer must know. */
export function klieoWarnings(facts: Facts): Warning[] {
  const pending = facts.pending ?? [];
  return [
    ...collidingIds(pending),
    ...pending.filter((call) => call.id === '').map(({ index }) => emptyId(index)),
    ...pending.flatMap((call) => argumentsWarnings(call.arguments, `pending_tool_calls[${call.index}].args`)),
    ...duplicatesElsewhere(facts.duplicates),
    ...transcriptWarnings(facts.messages, pending),
    ...(facts.latched ? [] : [mayHaveBeenAnswered(pending.length > 0)]),
  ];
}

/** Nobody can say which call an answer under a shared id means: no approval (H8, C09). */
function collidingIds(pending: readonly PendingCall[]): Warning[] {
  const byId = new Map<string | null, PendingCall[]>();
  for (const call of pending) byId.set(call.id, (byId.get(call.id) ?? []).concat(call));
  return [...byId]
    .filter(([id, calls]) => id !== '' && calls.length > 1)
    .map(([id, calls]) => {
      const list = calls.map((call) => `${call.index + 1} (${call.name})`).join(' and ');
      const text = `ids collide: calls ${list} carry the same id ${JSON.stringify(id)}; the batch can only be rejected as a whole`;
      return { code: 'ids_collide', path: 'pending_tool_calls', text, blocksApproval: true };
    });
}

function emptyId(index: number): Warning {
  const text = `call ${index + 1} has an empty id; it gets a unique one in the conversation that is continued`;
  return { code: 'empty_id', path: `pending_tool_calls[${index}].id`, text, blocksApproval: false };
}

/** Those in the pending arguments are told with the arguments. */
function duplicatesElsewhere(duplicates: readonly DuplicateKey[]): Warning[] {
  return duplicates
    .filter(({ path }) => !/^pending_tool_calls\[\d+\]\.args($|[.[])/.test(path))
    .map(({ path, text }) => ({ code: 'duplicate_key', path, text, blocksApproval: true }));
}

function transcriptWarnings(messages: readonly Message[], pending: readonly PendingCall[]): Warning[] {
  const check = checkTranscript(messages, pending);
  const unanswered = check.unanswered.map(({ message, id, name }) => ({
    code: 'transcript_unanswered',
    path: `messages[${message}]`,
    text: `not resumable as it is: call ${id} (${name}) of messages[${message}] was never answered; going on needs a synthetic answer after it`,
    blocksApproval: false,
  }));
  const broken = check.broken.map((words) => ({
    code: 'transcript_broken',
    path: 'messages',
    text: `not resumable as it is: ${words}`,
    blocksApproval: true,
  }));
  const answered = check.answeredPending.map((index) => ({
    code: 'already_answered',
    path: `pending_tool_calls[${index}]`,
    text: `call ${index + 1} already has an answer in the conversation; it is not executed again`,
    blocksApproval: false,
  }));
  const first = messages[0]?.role;
  const cut = (pending.length > 0 && !check.pendingInHistory) || first === 'assistant' || first === 'tool';
  return [...unanswered, ...broken, ...answered, ...(cut ? [mayBeCut] : [])];
}

/** klieo stores at most max_history_tokens of a thread (K3). */
const mayBeCut: Warning = {
  code: 'history_may_be_cut',
  path: 'messages',
  text: 'the history may be cut: it does not hold everything that led to these calls',
  blocksApproval: false,
};

/** A rejection, and an approval without calls, leave no mark in klieo's record (K15, H4). */
function mayHaveBeenAnswered(hasCalls: boolean): Warning {
  const how = hasCalls ? 'a rejection leaves no mark' : 'a resume without calls leaves no mark';
  const text = `may have been answered already where it comes from: ${how} in a klieo record`;
  return { code: 'may_have_been_answered', path: '', text, blocksApproval: false };
}
