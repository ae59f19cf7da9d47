import type { Release } from '../../shared/approve.js';
import { said } from '../run/said.js';
import { text } from '../text.js';

const words = text.control;

/** Where a wrong press costs most: another layout, and the confirmation in another place. */
export function isDangerous({ effect, retry }: Release): boolean {
  return effect === 'destructive' || retry !== null;
}

/** What a screen reader says when the control gets the keyboard. */
export function labelOf(release: Release): string {
  const { act, calls, retry } = release;
  const what = calls.length === 1 ? said(calls[0]?.name ?? '') : words.calls(calls.length);
  if (retry) return words.label.retry_turn(retry.turn);
  if (isDangerous(release)) return words.label.destructive(what);
  if (act === 'redispatch') return words.label.redispatch(calls.length);
  if (act === 'continue' || act === 'go_on' || act === 'retry_turn')
    return words.label[act === 'continue' ? act : 'go_on'];
  return calls.length > 1 ? words.label.batch(calls.length) : words.label.decide(what);
}

/** What stands on the confirming button, before the tool's own name where there is one. */
export function confirmOf(release: Release): string {
  const { act, calls, retry } = release;
  if (retry) return words.confirm.retry_turn(retry.turn);
  if (act === 'redispatch') return words.confirm.redispatch(calls.length);
  if (act === 'continue') return words.confirm.continue;
  if (act === 'go_on') return words.confirm.go_on;
  if (calls.length > 1) return words.confirm.batch(calls.length);
  return isDangerous(release) ? words.confirm.destructive : words.confirm.decide;
}

/** What is left to be read, in the names of the fields. */
export function unreadNames({ unread }: Release): string[] {
  return unread.flatMap(({ index, fields }) =>
    fields.map((field) => (field === null ? words.off.wholeUnread(index + 1) : `“${said(field)}”`)),
  );
}
