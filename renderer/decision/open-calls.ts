import type { CallView, RunDetail } from '../../shared/ipc.js';

/** True when this suspension takes a decision now. */
export function takesDecision(detail: RunDetail): boolean {
  return detail.binding !== null && (detail.row.status === 'waiting' || detail.row.status === 'held');
}

/** The calls that need a verdict: not answered in the conversation, not settled in the journal (H7). */
export function openCalls(detail: RunDetail): CallView[] {
  return detail.calls.filter((call) => {
    const entry = detail.journal?.calls.find((e) => e.index === call.index);
    return !call.answered && (entry === undefined || entry.state === 'not_started');
  });
}

/** True when the verdict is on the step itself, because no call is left to decide (K2, K7). */
export function decidesStep(detail: RunDetail): boolean {
  return openCalls(detail).length === 0;
}
