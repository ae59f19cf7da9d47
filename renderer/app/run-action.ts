import { needsPerson } from '../../shared/states.js';
import { approveMarked, openRejectMarked } from '../bulk/bulk-acts.js';
import { isBulk, useBulk } from '../bulk/bulk-store.js';
import { extendMarks, markSameTool, toggleMark } from '../bulk/marks.js';
import { approveKey, confirm, type Gesture, leave, openEdit, openReject, submitBatch } from '../decision/actions.js';
import { useDecision } from '../decision/decision-store.js';
import type { Keyboard } from '../decision/guard.js';
import { undo } from '../decision/send.js';
import type { Action } from '../keys.js';
import { useQueue } from '../queue/queue-store.js';
import { useRun } from '../run/run-store.js';
import { text } from '../text.js';
import { announce, focusCard, focusList, focusSearch } from './focus.js';
import { useToasts } from './toast-store.js';
import { nextDiffMode, useUi } from './ui-store.js';

/** Actions that also work while a text field has the keyboard. */
export const IN_TEXT: ReadonlySet<Action> = new Set<Action>(['back', 'palette']);

type Do = (gesture: Gesture, owner: Keyboard) => void;

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

/** While runs are marked, the keys that decide are about them; what is about one card alone waits. */
const bulkOr =
  (many: ((gesture: Gesture) => Promise<void>) | null, act: (gesture: Gesture) => void): Do =>
  (gesture, owner) => {
    if (isBulk(useBulk.getState())) deciding((one) => void many?.(one))(gesture, owner);
    else deciding(act)(gesture, owner);
  };

/** Marks only where the list is on screen. What was begun is left first. */
const marking =
  (act: (selected: string | null) => Promise<void>): Do =>
  () => {
    if (useUi.getState().page !== 'queue') return;
    leave();
    void act(useQueue.getState().selected);
  };

const DO: Readonly<Record<Action, Do>> = {
  down: move(1),
  up: move(-1),
  first: move('first'),
  last: move('last'),
  next_open: deciding(() => {
    leave();
    void useQueue.getState().selectNextOpen();
  }),
  merge: () => void useQueue.getState().merge(),
  search: focusSearch,
  filters: () => useUi.setState((ui) => ({ filters: !ui.filters })),
  // From a list row Enter opens, and never more than that.
  enter: (gesture, owner) => (owner === 'list' ? openSelected() : deciding(confirm)(gesture, owner)),
  mark: marking(toggleMark),
  mark_tool: marking(markSameTool),
  extend_down: marking(() => extendMarks(1)),
  extend_up: marking(() => extendMarks(-1)),
  approve: bulkOr(approveMarked, approveKey),
  reject: bulkOr(openRejectMarked, openReject),
  edit: bulkOr(null, openEdit),
  submit: bulkOr(null, submitBatch),
  snooze: bulkOr(null, () => {
    const row = useRun.getState().detail?.row;
    if (row && needsPerson(row.status) && !row.other) useDecision.getState().setMode({ kind: 'snoozing' });
  }),
  undo: () => {
    const { last } = useDecision.getState();
    if (last) void undo(last.ids);
  },
  previous_call: goToCall(-1),
  next_call: goToCall(1),
  conversation: () => useUi.getState().toggleSide('conversation'),
  raw: () => useUi.getState().toggleSide('raw'),
  diff: () => useUi.setState(({ diffMode }) => ({ diffMode: nextDiffMode(diffMode) })),
  // What was armed or begun is left first: the palette never confirms.
  palette: () => {
    leave();
    useUi.setState((ui) => ({ palette: !ui.palette, help: false, filters: false }));
  },
  help: () => useUi.setState((ui) => ({ help: !ui.help })),
  back: (_gesture, owner) => back(owner),
};

/** Does what a key of the table says. Everything that decides goes through the guard with the gesture. */
export function runAction(action: Action, gesture: Gesture, owner: Keyboard): void {
  DO[action](gesture, owner);
}

/** The card of the selected run; the line of what is old opens in the list itself. */
function openSelected(): void {
  const { at, items, fold } = useQueue.getState();
  if (items.get(at)?.kind === 'old') void fold(at);
  else openCard();
}

export function openCard(): void {
  leave();
  useUi.setState({ pane: 'card', page: 'queue' });
  focusCard();
}

/** One level back: overlay, form or armed state, messages, text field, drawer, page, card to list. It decides nothing. */
function back(owner: Keyboard): void {
  const ui = useUi.getState();
  if (ui.help || ui.palette || ui.rule) useUi.setState({ help: false, palette: false, rule: null });
  else if (ui.filters) {
    useUi.setState({ filters: false });
    focusList();
  } else if (leave()) return;
  else if (ui.page === 'queue' && useBulk.getState().clear()) announce(text.bulk.marked(0));
  else if (useToasts.getState().toasts.length > 0) useToasts.getState().dismissAll();
  else if (owner === 'text') focusCard();
  else if (ui.sideOpen) useUi.setState({ sideOpen: false });
  else if (ui.page !== 'queue') ui.goTo('queue');
  else {
    useUi.setState({ pane: 'list' });
    if (owner !== 'list') focusList();
  }
}
