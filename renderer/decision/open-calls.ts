import type { CallView, RunDetail } from '../../shared/ipc.js';

/**
 * What this record takes from a person now: a verdict; the word that it may go on, where nothing in it waits; or the
 * word that a turn which may have run may run again (R7). Null: nothing.
 */
export type Ask = 'verdict' | 'go_on' | 'retry';

export function askOf({ binding, row, goesOn, retry }: RunDetail): Ask | null {
  if (binding === null) return null;
  if (row.status === 'waiting') return 'verdict';
  const isOther = row.status === 'not_continued' && row.other === true;
  if (row.status !== 'held' && !isOther) return null;
  if (retry !== undefined) return 'retry';
  if (goesOn === true) return 'go_on';
  return row.status === 'held' ? 'verdict' : null;
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
