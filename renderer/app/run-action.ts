import { approveKey, confirm, leave, openEdit, openReject, submitBatch, type Gesture } from '../decision/actions.js';
import { useDecision } from '../decision/decision-store.js';
import { undo } from '../decision/send.js';
import type { Action } from '../keys.js';
import { useQueue } from '../queue/queue-store.js';
import { useRun } from '../run/run-store.js';
import { focusCard, focusList, focusSearch } from './focus.js';
import { useUi } from './ui-store.js';

/** Actions that also work while a text field has the keyboard. */
export const IN_TEXT: ReadonlySet<Action> = new Set<Action>(['back']);

/** Does what a key of the table says. Everything that decides goes through the guard with the gesture. */
export function runAction(action: Action, gesture: Gesture, inList: boolean): void {
  const queue = useQueue.getState();
  const ui = useUi.getState();
  const onQueue = ui.page === 'queue';
  switch (action) {
    case 'down':
    case 'up':
      leave();
      return queue.move(action === 'down' ? 1 : -1);
    case 'first':
    case 'last':
      leave();
      return queue.move(action);
    case 'next_open':
      leave();
      queue.selectNextOpen();
      return;
    case 'merge':
      return queue.merge();
    case 'search':
      return focusSearch();
    case 'filters':
      return useUi.setState({ filters: !ui.filters });
    case 'enter':
      // From a list row Enter opens, and never more than that.
      if (inList) return openCard();
      return onQueue ? confirm(gesture) : undefined;
    case 'approve':
      return onQueue ? approveKey(gesture) : undefined;
    case 'reject':
      return onQueue ? openReject(gesture) : undefined;
    case 'edit':
      return onQueue ? openEdit(gesture) : undefined;
    case 'submit':
      return onQueue ? submitBatch(gesture) : undefined;
    case 'snooze':
      if (onQueue && queue.selected !== null) useDecision.getState().setMode({ kind: 'snoozing' });
      return;
    case 'undo': {
      const { last } = useDecision.getState();
      if (last) void undo(last.id);
      return;
    }
    case 'previous_call':
    case 'next_call':
      leave();
      return useRun.getState().goToCall(useRun.getState().at + (action === 'next_call' ? 1 : -1));
    case 'conversation':
      return ui.toggleSide('conversation');
    case 'raw':
      return ui.toggleSide('raw');
    case 'diff':
      return useUi.setState({ showDiff: !ui.showDiff });
    case 'help':
      return useUi.setState({ help: !ui.help });
    case 'back':
      return back(inList);
  }
}

export function openCard(): void {
  leave();
  useUi.setState({ pane: 'card', page: 'queue' });
  focusCard();
}

/** One level back: overlay, form or armed state, drawer, page, card to list. It decides nothing. */
function back(inList: boolean): void {
  const ui = useUi.getState();
  if (ui.help) return useUi.setState({ help: false });
  if (ui.filters) return useUi.setState({ filters: false });
  if (leave()) return;
  if (ui.sideOpen) return useUi.setState({ sideOpen: false });
  if (ui.page !== 'queue') return ui.goTo('queue');
  useUi.setState({ pane: 'list' });
  if (!inList) focusList();
}
