import { useEffect } from 'react';
import { keyboardOwner } from '../app/keyboard.js';
import { useGuard } from '../decision/guard-store.js';
import { type Action, actionFor, keyTable } from '../keys.js';
import { confirms } from './confirm-keys.js';
import { useApprove } from './store.js';
import { mustReach } from './words.js';

/** Keys that only move: they go back to the card and do there what they always do. */
const MOVES: ReadonlySet<Action> = new Set<Action>(['down', 'up', 'next_open', 'previous_call', 'next_call']);

/** These type nothing: one walks through the control, the others begin a chord. */
const QUIET: ReadonlySet<string> = new Set(['Tab', 'Control', 'Meta', 'Shift', 'Alt']);

/** The keys of the control: confirm, go back, move on. Any other key, and a held one, begins the grace time anew. */
export function useControlKeys(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const { state, confirm, leave } = useApprove.getState();
      const offered = state?.offered;
      if (!offered || event.defaultPrevented) return;
      const owner = keyboardOwner(document.activeElement);
      const action = event.isComposing ? null : actionFor(event, '', state.singleKeys, keyTable(state.keys));
      if (action === null || action === 'prefix' || event.repeat) {
        // Somebody types, or holds a key: what comes next was not meant for this.
        if (!QUIET.has(event.key) && !scrolls(event)) useGuard.getState().focusEntered();
        return;
      }
      if (action === 'back') void leave(offered, null);
      else if (MOVES.has(action)) void leave(offered, action);
      else if (confirms(action, event.key, state.keys) && !mustReach(offered.release)) {
        // A button takes Enter itself.
        if (owner === 'control' && action === 'enter') return;
        const key = action === 'submit' ? 'Mod+Enter' : event.key;
        const attempt = {
          by: 'key',
          key,
          repeat: false,
          composing: false,
          keyboard: owner,
          madeFor: offered.seal,
        } as const;
        if (useGuard.getState().refuses(attempt) === null) void confirm(offered);
      } else if (owner === 'control' && action === 'enter') return;
      else useGuard.getState().focusEntered();
      event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

/** The list of calls is read with these. */
const STEPS: Readonly<Record<string, number>> = { ArrowDown: 40, ArrowUp: -40 };
const PAGES: Readonly<Record<string, number>> = { PageDown: 1, PageUp: -1 };
/** What stays on screen of a page that is left, in pixels: so nothing is skipped that stood half on it. */
const OVERLAP = 60;

function scrolls({ key }: KeyboardEvent): boolean {
  const rows = document.querySelector('.rows');
  const page = Math.max(OVERLAP, (rows?.clientHeight ?? 0) - OVERLAP);
  const by = STEPS[key] ?? (PAGES[key] === undefined ? undefined : PAGES[key] * page);
  if (by !== undefined) rows?.scrollBy(0, by);
  return by !== undefined;
}
