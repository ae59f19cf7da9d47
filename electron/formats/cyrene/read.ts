import type { ReadRefusal } from '../../../shared/checkpoint.js';
import type { ReadResult } from '../format.js';
import { type Ending, endingOf, endingText } from './ending.js';
import { type Window, windowOf } from './held-step.js';
import { refusalInRow } from './place.js';
import { readSession, type Session } from './session.js';
import type { CyreneState } from './state.js';
import { timeline } from './timeline.js';
import { cyreneWarnings, isUnclear } from './warnings.js';

/**
 * A session in the normal form, at its most recently updated row. Where Cyrene falls back to a fresh run from step 1
 * (C3, CF1), this says what is wrong and stops: no row, cannot load, cannot decode, not resumable.
 */
export function readCyrene(bytes: Uint8Array): ReadResult {
  const opened = openSession(bytes);
  if (!opened.ok) return opened;
  const { session, state, window } = opened;
  const { latest } = session;
  const ending = endingOf(state.stopReason);
  const interrupted = ending.kind === 'interrupted';
  const held = window.pending !== null;
  return {
    ok: true,
    record: {
      system: 'cyrene',
      runId: session.sessionId,
      checkpointId: latest.id,
      threadId: session.sessionId,
      revision: null,
      createdAt: null,
      createdAtNs: null,
      updatedAt: latest.updatedAt,
      completedStep: latest.step,
      resumeStep: latest.step + 1,
      state: held ? 'waiting' : interrupted ? 'running' : 'finished',
      resumable: interrupted && !isUnclear(session, state),
      pending: window.pending,
      messages: window.messages,
      warnings: cyreneWarnings(session, state, window, ending),
      classification: classification(session, ending, held),
      about: [
        { name: 'Session', value: session.sessionId },
        { name: 'Step', value: String(latest.step) },
        { name: 'Stop reason', value: state.stopReason === '' ? 'none' : state.stopReason },
        { name: 'Claim', value: 'none of its own' },
        ...timeline(session),
      ],
      order: `${latest.updatedAtNs} ${latest.step}`,
    },
  };
}

export interface OpenedSession {
  session: Session;
  state: CyreneState;
  window: Window;
}

/** The session, with the state of its latest row decoded. Never another row in its place (CF1). */
export function openSession(bytes: Uint8Array): ({ ok: true } & OpenedSession) | { ok: false; refusal: ReadRefusal } {
  const read = readSession(bytes);
  if (!read.ok) return read;
  const { session } = read;
  const { state, place, step } = session.latest;
  if (!state.ok) {
    const words = `cannot decode: the state of step ${step}: ${state.words}. Cyrene would run on from nothing here; nothing is started`;
    const refusal = refusalInRow(place, 'state', 'cannot_decode', words);
    return { ok: false, refusal: { ...refusal, path: innerPath(refusal.path, state.path) } };
  }
  const window = windowOf(state.state);
  if (window.messages.length === 0 && endingOf(state.state.stopReason).kind === 'interrupted') {
    const words = `no conversation: the state of step ${step} has no messages. Cyrene would go on with an empty window here (CF2)`;
    return { ok: false, refusal: refusalInRow(place, 'state', 'no_conversation', words) };
  }
  return { ok: true, session, state: state.state, window };
}

function innerPath(row: string, inner: string): string {
  return inner === '' || inner.startsWith('[') ? row + inner : `${row}.${inner}`;
}

function classification({ latest }: Session, ending: Ending, held: boolean): string {
  if (held) return `step ${latest.step} is held for a person`;
  if (ending.kind === 'interrupted') return `interrupted after step ${latest.step}; nothing waits for a person`;
  const rest = ending.kind === 'final_answer' ? 'nothing to decide' : 'not resumable';
  return `ended after step ${latest.step} with ${endingText(ending)}; ${rest}`;
}
