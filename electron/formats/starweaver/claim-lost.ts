import type { NormalRecord } from '../../../shared/checkpoint.js';

/** S16: one claim a waiting run; any other is a Conflict, and the winner stays as it was. */
export function claimLost({ runId }: NormalRecord): { upstream: string; text: string } {
  return { upstream: 'Conflict', text: `Conflict: run ${runId} already has an active resume claim` };
}
