import type { RunDetail } from '../../shared/ipc.js';

/** How much of the history a model would not take as it is, and going on would mend with the reviewer's consent (C30). */
export function toRepair({ unanswered, strays = [] }: Pick<RunDetail, 'unanswered' | 'strays'>): {
  calls: number;
  answers: number;
  any: boolean;
} {
  const [calls, answers] = [unanswered.length, strays.length];
  return { calls, answers, any: calls + answers > 0 };
}
