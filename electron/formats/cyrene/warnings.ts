import { argumentsWarnings } from '../../../shared/argument-warnings.js';
import type { Warning } from '../../../shared/checkpoint.js';
import { collidingIds, emptyIds, type Places, transcriptWarnings } from '../batch-warnings.js';
import { historyArguments } from '../history-arguments.js';
import { type Ending, endingText } from './ending.js';
import { placeOfMessage, type Window } from './held-step.js';
import type { Session } from './session.js';
import type { CyreneState } from './state.js';

/** Everything about a readable session that its reviewer must know. */
export function cyreneWarnings(session: Session, state: CyreneState, window: Window, ending: Ending): Warning[] {
  const { messages, asking } = window;
  const pending = window.pending ?? [];
  const asked = placeOfMessage(window, Math.max(asking, 0));
  const places: Places = {
    batch: `${asked}.tool_calls`,
    call: (index) => `${asked}.tool_calls[${index}]`,
    history: 'state.messages',
    message: (at) => placeOfMessage(window, at),
  };
  return [
    ...(ending.kind === 'interrupted' ? [mayHaveGoneOn] : [notResumable(session, ending)]),
    ...(mayBeFinished(state, window) ? [finishedBefore] : []),
    ...repeatedKeys(state),
    ...stepDiffers(session, state),
    ...sessionWarnings(session),
    ...collidingIds(pending, places),
    ...emptyIds(pending, places, 'id'),
    ...pending.flatMap((call) => argumentsWarnings(call.arguments, `${places.call(call.index)}.function.arguments`)),
    ...(messages.length === 0 ? [] : transcriptWarnings(messages, pending, places)),
    ...missingIds(window, places),
    ...historyArguments(messages, pending, places),
  ];
}

/** Facts that make it unclear what Cyrene would load or make of it: such a session does not go on here. */
export function isUnclear(session: Session, state: CyreneState): boolean {
  return session.ambiguous || state.repeated.length > 0 || nextRowExists(session);
}

/** C3, CF1: Cyrene starts from step 1 in such a case. */
function notResumable({ latest }: Session, ending: Exclude<Ending, { kind: 'interrupted' }>): Warning {
  const text = `not resumable: step ${latest.step} ended with ${endingText(ending)}. Cyrene itself would run everything again from step 1 here; that is not done`;
  return { code: 'not_resumable', path: 'state.stop_reason', text, blocksApproval: false };
}

/** CF4, H4: nothing in a row tells that it was resumed. */
const mayHaveGoneOn: Warning = {
  code: 'may_have_gone_on',
  path: '',
  text: 'may have gone on already where it comes from: Cyrene has no claim of its own, and nothing keeps two processes from resuming one session',
  blocksApproval: false,
};

/** CF5. */
function mayBeFinished({ stopReason }: CyreneState, { messages, pending }: Window): boolean {
  const last = messages.at(-1);
  return stopReason === '' && pending === null && last?.role === 'assistant' && last.toolCalls.length === 0;
}

const finishedBefore: Warning = {
  code: 'may_be_finished',
  path: 'state.messages',
  text: 'ends with an answer and without a stop reason: written before Cyrene had one it may be finished, and going on would make the answer again',
  blocksApproval: false,
};

/** Go takes the last in any letter case; a person may have read the first. */
function repeatedKeys({ repeated }: CyreneState): Warning[] {
  return repeated.map(({ path, field, spellings }) => ({
    code: 'duplicate_key',
    path: path === '' ? 'state' : `state.${path}`,
    text: `duplicate key ${field} in ${path === '' ? 'state' : `state.${path}`} (${spellings.map((key) => JSON.stringify(key)).join(', ')}): Cyrene takes the last, other readers differ`,
    blocksApproval: true,
  }));
}

function stepDiffers({ latest }: Session, { step }: CyreneState): Warning[] {
  if (step === null || step === BigInt(latest.step)) return [];
  const text = `the state says step ${step}, its row says ${latest.step}; the row counts`;
  return [{ code: 'step_differs', path: 'state.step', text, blocksApproval: false }];
}

function nextRowExists({ rows, latest }: Session): boolean {
  return rows.some((row) => row.step === latest.step + 1);
}

function sessionWarnings(session: Session): Warning[] {
  const { rows, latest, ambiguous } = session;
  const warnings: Warning[] = [];
  const stale = rows.filter((row) => row.step > latest.step).map((row) => row.step);
  if (stale.length > 0) {
    const text = `step ${latest.step} is newer than step ${stale.join(', ')}: the session was started again from step 1 (CF3), so what it did before may have been done twice; the older rows are kept and not used`;
    warnings.push({ code: 'started_again', path: '', text, blocksApproval: false });
  }
  if (ambiguous) {
    const text = `several rows carry the time ${latest.updatedAt}: which of them is the latest cannot be said`;
    warnings.push({ code: 'latest_ambiguous', path: 'updated_at', text, blocksApproval: true });
  }
  if (nextRowExists(session)) {
    const text = `the row of step ${latest.step + 1} exists already; it is not overwritten, so the session does not go on here`;
    warnings.push({ code: 'next_row_exists', path: 'step', text, blocksApproval: true });
  }
  return warnings;
}

/** C11: calls of the window that came without an id; those that wait for a person are told with their batch. */
function missingIds({ messages, stable }: Window, places: Places): Warning[] {
  return messages.slice(0, stable).flatMap(({ toolCalls }, at) => {
    const calls = toolCalls.flatMap((call, index) =>
      call.id === null || call.id === '' ? [`${index + 1} (${call.name})`] : [],
    );
    if (calls.length === 0) return [];
    const text = `call ${calls.join(', ')} came without an id; the conversation that goes on gets unique ones, the row keeps what it has`;
    return [{ code: 'empty_id', path: places.message(at), text, blocksApproval: false }];
  });
}
