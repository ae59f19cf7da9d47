import { needsPerson } from '../../shared/states.js';
import { approveKey, confirm, type Gesture, leave, openEdit, openReject, submitBatch } from '../decision/actions.js';
import { useDecision } from '../decision/decision-store.js';
import { undo } from '../decision/send.js';
import type { Action } from '../keys.js';
import { useQueue } from '../queue/queue-store.js';
import { useRun } from '../run/run-store.js';
import { focusCard, focusList, focusSearch } from './focus.js';
import { useUi } from './ui-store.js';

/** Actions that also work while a text field has the keyboard. */
export const IN_TEXT: ReadonlySet<Action> = new Set<Action>(['back']);

type Do = (gesture: Gesture, inList: boolean) => void;

/** Only where the list and the card are on screen; what was armed or begun there is left first. */
const move =
  (by: number | 'first' | 'last'): Do =>
  () => {
    if (useUi.getState().page !== 'queue') return;
    leave();
    useQueue.getState().move(by);
  };

const goToCall =
  (by: number): Do =>
  () => {
    leave();
    useRun.getState().goToCall(useRun.getState().at + by);
  };

const deciding =
  (act: (gesture: Gesture) => void): Do =>
  (gesture) => {
    if (useUi.getState().page === 'queue') act(gesture);
  };

const DO: Readonly<Record<Action, Do>> = {
  down: move(1),
  up: move(-1),
  first: move('first'),
  last: move('last'),
  next_open: () => {
    leave();
    useQueue.getState().selectNextOpen();
  },
  merge: () => useQueue.getState().merge(),
  search: focusSearch,
  filters: () => useUi.setState((ui) => ({ filters: !ui.filters })),
  // From a list row Enter opens, and never more than that.
  enter: (gesture, inList) => (inList ? openCard() : deciding(confirm)(gesture, inList)),
  approve: deciding(approveKey),
  reject: deciding(openReject),
  edit: deciding(openEdit),
  submit: deciding(submitBatch),
  snooze: deciding(() => {
    const status = useRun.getState().detail?.row.status;
    if (status && needsPerson(status)) useDecision.getState().setMode({ kind: 'snoozing' });
  }),
  undo: () => {
    const { last } = useDecision.getState();
    if (last) void undo(last.id);
  },
  previous_call: goToCall(-1),
  next_call: goToCall(1),
  conversation: () => useUi.getState().toggleSide('conversation'),
  raw: () => useUi.getState().toggleSide('raw'),
  diff: () => useUi.setState((ui) => ({ showDiff: !ui.showDiff })),
  help: () => useUi.setState((ui) => ({ help: !ui.help })),
  back: (_gesture, inList) => back(inList),
};

/** Does what a key of the table says. Everything that decides goes through the guard with the gesture. */
export function runAction(action: Action, gesture: Gesture, inList: boolean): void {
  DO[action](gesture, inList);
}

export function openCard(): void {
  leave();
  useUi.setState({ pane: 'card', page: 'queue' });
  focusCard();
}

/** One level back: overlay, form or armed state, drawer, page, card to list. It decides nothing. */
function back(inList: boolean): void {
  const ui = useUi.getState();
  if (ui.help) useUi.setState({ help: false });
  else if (ui.filters) useUi.setState({ filters: false });
  else if (leave()) return;
  else if (ui.sideOpen) useUi.setState({ sideOpen: false });
  else if (ui.page !== 'queue') ui.goTo('queue');
  else {
    useUi.setState({ pane: 'list' });
    if (!inList) focusList();
  }
}
