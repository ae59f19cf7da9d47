/**
 * Why a step was the last, or that it was not (C2). The texts of Cyrene's constants are an assumption; one that is not
 * among them is shown as it is and never resumed.
 */
export type Ending =
  | { kind: 'interrupted' }
  | { kind: 'final_answer' | 'budget' | 'safety_net' | 'guardrail' | 'unknown'; stopReason: string };

/** Steps that end with tool calls go on; the only stop reason besides none for which Cyrene resumes. */
export const TOOL_CALLS = 'tool_calls';
export const FINAL_ANSWER = 'stop';

const KNOWN: Readonly<Record<string, Exclude<Ending['kind'], 'interrupted' | 'unknown'>>> = {
  [FINAL_ANSWER]: 'final_answer',
  final_answer: 'final_answer',
  budget: 'budget',
  budget_exhausted: 'budget',
  safety_net: 'safety_net',
  max_steps: 'safety_net',
  guardrail: 'guardrail',
  guardrail_denied: 'guardrail',
};

export function endingOf(stopReason: string): Ending {
  if (stopReason === '' || stopReason === TOOL_CALLS) return { kind: 'interrupted' };
  const kind = Object.hasOwn(KNOWN, stopReason) ? KNOWN[stopReason] : undefined;
  return { kind: kind ?? 'unknown', stopReason };
}

/** In words, after "ended after step 4 with". */
export function endingText(ending: Exclude<Ending, { kind: 'interrupted' }>): string {
  switch (ending.kind) {
    case 'final_answer':
      return 'a final answer';
    case 'budget':
      return 'its budget used up';
    case 'safety_net':
      return 'a stop by its safety net';
    case 'guardrail':
      return 'a guardrail that blocked it';
    case 'unknown':
      return `stop reason ${JSON.stringify(ending.stopReason.slice(0, 80))}, which is not known here`;
  }
}
