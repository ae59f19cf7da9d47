import type { SuspensionKey } from '../../shared/decision.js';
import { accepted, type Outcome, refused } from '../../shared/refusal.js';
import { parseSuspension } from '../checkpoints/keys.js';

/** What a list item's id names. Ids are opaque to the page: `s:` a suspension, `f:` a refused file, `q:` a file of the store. */
export type Item =
  | { kind: 'suspension'; key: SuspensionKey }
  | { kind: 'refused'; file: string }
  | { kind: 'quarantined'; file: string };

export function itemOf(id: string): Outcome<Item> {
  const rest = id.slice(2);
  if (id.startsWith('f:')) return accepted({ kind: 'refused', file: rest });
  if (id.startsWith('q:')) return accepted({ kind: 'quarantined', file: rest });
  const key = id.startsWith('s:') ? parseSuspension(rest) : null;
  return key ? accepted({ kind: 'suspension', key }) : refused('bad_request', 'There is no such item.');
}

/** The suspension that an id names; a record that cannot be read has none, and nothing can be done with it. */
export function suspensionOf(id: string): Outcome<SuspensionKey> {
  const item = itemOf(id);
  if (!item.ok) return item;
  return item.value.kind === 'suspension'
    ? accepted(item.value.key)
    : refused('unreadable', 'This record cannot be read: nothing can be decided on it.');
}

/** Runs `act` with the suspension that an id names. */
export async function withSuspension<T>(
  id: string,
  act: (key: SuspensionKey) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const key = suspensionOf(id);
  return key.ok ? act(key.value) : key;
}
