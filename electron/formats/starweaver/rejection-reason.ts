import { rejectionText } from '../../../shared/rejection.js';

const PLACEHOLDER = '\u0000';
const [BEFORE = '', AFTER = ''] = rejectionText(PLACEHOLDER).split(PLACEHOLDER);

/** The reason in an answer that Holdpoint wrote for a rejected call; null when the answer is none of those. */
export function rejectionReason(answer: string): string | null {
  if (answer.length < BEFORE.length + AFTER.length || !answer.startsWith(BEFORE) || !answer.endsWith(AFTER))
    return null;
  return answer.slice(BEFORE.length, answer.length - AFTER.length);
}
