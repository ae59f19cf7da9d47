import { type Action, keysFor, keyTable } from '../keys.js';
import { useSettings } from '../settings/settings-store.js';

/** The key of an action, as the table has it; for the eye only. */
export function Key({ action }: { action: Action }) {
  const own = useSettings((s) => s.settings.keys);
  return (
    <span className="keys" aria-hidden="true">
      {keysFor(action, keyTable(own)).map((key, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a sequence may repeat a key
        <kbd key={i}>{key}</kbd>
      ))}
    </span>
  );
}
