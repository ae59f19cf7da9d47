import { Marked } from '../run/Marked.js';

export const OFF_ID = 'approve-off';

/** Why the primary act is off, in words. */
export function WhyOff({ title, why }: { title: string; why: readonly string[] }) {
  if (why.length === 0) return null;
  return (
    <p className="why-off" id={OFF_ID} data-testid="approve-off">
      <strong>{title}</strong> <Marked text={why.join(' ')} />
    </p>
  );
}
