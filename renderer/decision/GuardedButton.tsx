import { createContext, type ReactNode, useContext } from 'react';
import type { Action } from '../keys.js';
import type { Gesture } from './actions.js';
import { clickOf } from './guard-store.js';
import { Key } from './Key.js';

/** Names what is on screen; set by whoever draws the card. */
export const Shown = createContext<string>('');

interface Props {
  children: ReactNode;
  className?: string;
  testId?: string;
  /** Why it is off, or undefined: an off button stays reachable, so that the reason can be read. */
  off?: boolean | undefined;
  describedBy?: string | undefined;
  /** Said, not shown: what the shown words are about. */
  about?: string | undefined;
  /** Its keys, shown after its words. */
  keys?: readonly Action[];
  onGesture: (gesture: Gesture) => void;
}

/** A button of the decision area. It is bound to what was on screen when it was drawn. */
export function GuardedButton({
  children,
  className = 'btn',
  testId,
  off,
  describedBy,
  about,
  keys = [],
  onGesture,
}: Props) {
  const shown = useContext(Shown);
  return (
    <button
      type="button"
      className={className}
      data-testid={testId}
      aria-disabled={off ? true : undefined}
      aria-describedby={describedBy}
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
      {about !== undefined && <span className="visually-hidden"> {about}</span>}
      {keys.map((action, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a key that is pressed twice is shown twice
        <Key key={i} action={action} />
      ))}
    </button>
  );
}
