import { useUi } from '../app/ui-store.js';
import { leave } from '../decision/actions.js';
import type { Current } from '../decision/current.js';
import { readCurrent } from '../decision/read-current.js';
import type { ArgumentText } from '../run/argument-text.js';
import { useRun } from '../run/run-store.js';

/** Whether a rule could answer calls like the one in front: it is asked for a verdict, known, not destructive, and here whole. */
export function mayBeRule(
  current: Pick<Current, 'ask' | 'call' | 'callOpen' | 'needsResult'> | null,
  shown: ArgumentText | undefined,
): boolean {
  if (!current?.call || !current.callOpen || current.needsResult || current.ask !== 'verdict') return false;
  const { known, effect } = current.call.facts;
  return known && effect !== 'destructive' && shown?.state === 'whole';
}

/** Opens a rule for calls like the one in front. Nothing is decided by it. */
export function openRule(): void {
  const current = readCurrent();
  const shown = current?.call ? useRun.getState().texts[current.call.index] : undefined;
  if (!current?.call || shown === undefined || !mayBeRule(current, shown)) return;
  leave();
  useUi.setState({ page: 'queue', rule: { itemId: current.itemId, call: current.call, text: shown.text } });
}
