import type { OwnKeys } from '../../shared/settings.js';
import { type Action, KEYS, keysFor, keyTable } from '../keys.js';
import { text } from '../text.js';

/** What confirms here beside the approve key. */
const CHORDS: ReadonlySet<Action> = new Set<Action>(['enter', 'submit']);

/**
 * Whether a key that the table gives to this action confirms. A plain character does so only when no other action has it,
 * neither in the table in force nor in the one that Holdpoint came with: settings that were changed under the reviewer
 * must not turn a key of habit into the one that sends (SECURITY.md). Enter always confirms.
 */
export function confirms(action: Action, key: string, own: OwnKeys): boolean {
  if (CHORDS.has(action)) return true;
  return action === 'approve' && !isAnothers(key, own);
}

function isAnothers(key: string, own: OwnKeys): boolean {
  return [...keyTable(own), ...KEYS].some(({ action, keys }) => action !== 'approve' && keys.includes(key));
}

/** The one plain key that confirms, as it is shown; null when only Enter does. */
export function confirmKey(singleKeys: boolean, own: OwnKeys): string | null {
  const keys = keyTable(own).find(({ action }) => action === 'approve')?.keys ?? [];
  const [key] = keys;
  if (!singleKeys || key === undefined || keys.length > 1 || isAnothers(key, own)) return null;
  return keysFor('approve', keyTable(own)).join(' ');
}

/** The same, in words. */
export function confirmWords(singleKeys: boolean, own: OwnKeys): string {
  return text.control.keys(confirmKey(singleKeys, own));
}
