import { accepted, type Outcome, refused } from '../../shared/refusal.js';
import type { Question, Shell } from '../shell/holdpoint.js';

/** Acts that a page with foreign script in it must not do by itself: a person answers a question of the system first. */
export async function asked(
  { system }: { system: Pick<Shell['system'], 'ask'> },
  question: Pick<Question, 'message' | 'detail' | 'yes'>,
): Promise<Outcome<null>> {
  return (await system.ask({ ...question, no: 'No' }))
    ? accepted(null)
    : refused('not_allowed', 'You declined, so nothing was changed.', { declined: question.message });
}
