import { createContext, type ReactNode, useContext } from 'react';
import type { Gesture } from './actions.js';
import { clickOf } from './guard-store.js';

/** Names what is on screen; set by whoever draws the card. */
export const Shown = createContext<string>('');

interface Props {
  children: ReactNode;
  className?: string;
  testId?: string;
  /** Why it is off, or undefined: an off button stays reachable, so that the reason can be read. */
  off?: boolean | undefined;
  describedBy?: string | undefined;
  label?: string | undefined;
  onGesture: (gesture: Gesture) => void;
}

/** A button of the decision area. It is bound to what was on screen when it was drawn. */
export function GuardedButton({ children, className = 'btn', testId, off, describedBy, label, onGesture }: Props) {
  const shown = useContext(Shown);
  return (
    <button
      type="button"
      className={className}
      data-testid={testId}
      aria-disabled={off ? true : undefined}
      aria-describedby={describedBy}
      aria-label={label}
      onKeyDown={(event) => {
        // A held key would press the button again and again.
        if (event.repeat && (event.key === 'Enter' || event.key === ' ')) event.preventDefault();
      }}
      onClick={(event) => {
        const { detail } = event;
        if (!off) onGesture(() => clickOf({ detail }, shown));
      }}
    >
      {children}
    </button>
  );
}
