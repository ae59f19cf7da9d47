/** How klieo itself marks a rejection in a conversation (K7). */
export const REJECTION_PREFIX = 'Human reviewer rejected this step: ';

/**
 * What a model is told of a rejection: the reason word for word, and that it is a person's decision and not a result
 * (C25). An empty reason gets a default one.
 */
export function rejectionText(reason: string): string {
  const given = reason.trim() === '' ? 'no reason was given' : reason;
  return `${REJECTION_PREFIX}${given}\nIt was NOT executed: a person decided this. It is not a tool error.`;
}
