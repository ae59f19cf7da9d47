import type { Message, PendingCall, Warning } from '../../shared/checkpoint.js';
import type { DuplicateKey } from '../../shared/json.js';
import { checkTranscript } from '../../shared/transcript.js';

/** Where things stand in a record of one system, for the paths of warnings. */
export interface Places {
  /** The list of pending calls. */
  batch: string;
  call(index: number): string;
  history: string;
  /** The value of the record that a message of the normal form was read from. */
  message(index: number): string;
}

/** Nobody can say which call an answer under a shared id means: no approval (H8, C09). */
export function collidingIds(pending: readonly PendingCall[], places: Places): Warning[] {
  const byId = new Map<string | null, PendingCall[]>();
  for (const call of pending) byId.set(call.id, (byId.get(call.id) ?? []).concat(call));
  return [...byId]
    .filter(([id, calls]) => id !== '' && calls.length > 1)
    .map(([id, calls]) => {
      const list = calls.map((call) => `${call.index + 1} (${call.name})`).join(' and ');
      const text = `ids collide: calls ${list} carry the same id ${JSON.stringify(id)}; the batch can only be rejected as a whole`;
      return { code: 'ids_collide', path: places.batch, text, blocksApproval: true };
    });
}

/** `key` is what the system calls the id of a call. */
export function emptyIds(pending: readonly PendingCall[], places: Places, key: string): Warning[] {
  return pending
    .filter((call) => call.id === '')
    .map(({ index }) => {
      const text = `call ${index + 1} has an empty id; it gets a unique one in the conversation that is continued`;
      return { code: 'empty_id', path: `${places.call(index)}.${key}`, text, blocksApproval: false };
    });
}

/** Those in the pending arguments are told with the arguments: `told` knows their paths. */
export function duplicatesElsewhere(duplicates: readonly DuplicateKey[], told: (path: string) => boolean): Warning[] {
  return duplicates
    .filter(({ path }) => !told(path))
    .map(({ path, text }) => ({ code: 'duplicate_key', path, text, blocksApproval: true }));
}

/** What stands against asking a model with this conversation, and what has no answer in it (I7, C30). */
export function transcriptWarnings(
  messages: readonly Message[],
  pending: readonly PendingCall[],
  places: Places,
): Warning[] {
  const check = checkTranscript(messages, pending);
  const unanswered = check.unanswered.map(({ message, id, name }) => ({
    code: 'transcript_unanswered',
    path: places.message(message),
    text: `not resumable as it is: call ${id} (${name}) of ${places.message(message)} was never answered; going on needs a synthetic answer after it`,
    blocksApproval: false,
  }));
  const strays = check.strays.map(({ message, text }) => ({
    code: 'transcript_stray_answer',
    path: places.message(message),
    text: `not resumable as it is: ${text}; going on needs it to be left out`,
    blocksApproval: false,
  }));
  const broken = check.broken.map((words) => ({
    code: 'transcript_broken',
    path: places.history,
    text: `not resumable as it is: ${words}`,
    blocksApproval: true,
  }));
  const answered = check.answeredPending.map((index) => ({
    code: 'already_answered',
    path: places.call(index),
    text: `call ${index + 1} already has an answer in the conversation; it is not executed again`,
    blocksApproval: false,
  }));
  const first = messages[0]?.role;
  const cut = (pending.length > 0 && !check.pendingInHistory) || first === 'assistant' || first === 'tool';
  return [...unanswered, ...strays, ...broken, ...answered, ...(cut ? [mayBeCut(places.history)] : [])];
}

/** A record may hold only the end of its thread (K3). */
function mayBeCut(path: string): Warning {
  return {
    code: 'history_may_be_cut',
    path,
    text: 'the history may be cut: it does not hold everything that led to these calls',
    blocksApproval: false,
  };
}
