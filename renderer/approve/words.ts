import type { ApproveState, BulkRelease, Release, ReleaseCall } from '../../shared/approve.js';
import { secretSpans } from '../../shared/secret-spans.js';
import { said } from '../run/said.js';
import { text } from '../text.js';

const words = text.control;

/** What the control may show: one run, or a list of several. */
export type Shown = NonNullable<ApproveState['offered']>['release'];

export const isMany = (release: Shown): release is BulkRelease => release.act === 'decide_many';

/** Every call that would be sent, of whatever run. */
export function callsOf(release: Shown): ReleaseCall[] {
  return isMany(release) ? release.runs.flatMap(({ calls }) => calls) : release.calls;
}

/** Where a wrong press costs most: another layout, and the confirmation in another place. */
export function isDangerous(release: Shown): boolean {
  return release.effect === 'destructive' || mustReach(release);
}

/** To let a turn run again has no key: its button is reached on purpose (R7). */
export function mustReach(release: Shown): boolean {
  return !isMany(release) && release.retry !== null;
}

/** What a screen reader says when the control gets the keyboard. `keys`: what confirms, in words. */
export function labelOf(release: Shown, keys: string): string {
  if (isMany(release)) return words.label.many(release.runs.length, said(release.tool), keys);
  const { act, calls, retry } = release;
  const what = calls.length === 1 ? said(calls[0]?.name ?? '') : words.calls(calls.length);
  if (retry) return words.label.retry_turn(retry.turn);
  if (isDangerous(release)) return words.label.destructive(what);
  if (act === 'redispatch') return words.label.redispatch(calls.length, keys);
  if (act === 'continue' || act === 'go_on' || act === 'retry_turn')
    return words.label[act === 'continue' ? act : 'go_on'](keys);
  return calls.length > 1 ? words.label.batch(calls.length, keys) : words.label.decide(what, keys);
}

/** What stands on the confirming button, before the tool's own name where there is one. */
export function confirmOf(release: Shown): string {
  if (isMany(release)) return words.confirm.many(release.runs.length);
  const { act, calls, retry } = release;
  if (retry) return words.confirm.retry_turn(retry.turn);
  if (act === 'redispatch') return words.confirm.redispatch(calls.length);
  if (act === 'continue') return words.confirm.continue;
  if (act === 'go_on') return words.confirm.go_on;
  if (calls.length > 1) return words.confirm.batch(calls.length);
  return isDangerous(release) ? words.confirm.destructive : words.confirm.decide;
}

/** What is left to be read, in the names of the fields. A list shows all of its arguments itself. */
export function unreadNames(release: Shown): string[] {
  if (isMany(release)) return [];
  const { unread }: Release = release;
  return unread.flatMap(({ index, fields }) =>
    fields.map((field) => (field === null ? words.off.wholeUnread(index + 1) : `“${said(field)}”`)),
  );
}

/** How many secrets are masked in what the control shows; they are sent as they are. */
export function masked(release: Shown): number {
  return callsOf(release).reduce((sum, { text: shown }) => sum + secretSpans(shown).length, 0);
}
