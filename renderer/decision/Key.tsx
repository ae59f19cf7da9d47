import { type Action, keysFor } from '../keys.js';

/** The key of an action, as the table has it; for the eye only. */
export function Key({ action }: { action: Action }) {
  return (
    <span className="keys" aria-hidden="true">
      {keysFor(action).map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </span>
  );
}
