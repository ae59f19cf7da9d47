import { useEffect } from 'react';
import type { Gesture } from '../decision/actions.js';
import { actionFor, keyTable } from '../keys.js';
import { useSettings } from '../settings/settings-store.js';
import { keyboardOwner } from './keyboard.js';
import { IN_TEXT, runAction } from './run-action.js';
import { useUi } from './ui-store.js';

/** How long the first key of a sequence waits for the second one. */
const SEQUENCE_MS = 1_000;
/** The only actions that a held key may repeat. */
const REPEATABLE = new Set(['down', 'up']);

/** Listens to the keys of the table, wherever the focus is. */
export function useKeys(): void {
  useEffect(() => {
    let prefix = '';
    let prefixAt = 0;
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing) return;
      const owner = keyboardOwner(document.activeElement);
      if (event.timeStamp - prefixAt > SEQUENCE_MS) prefix = '';
      const { singleKeys, keys } = useSettings.getState().settings;
      const action = actionFor(event, prefix, singleKeys, keyTable(keys));
      prefix = '';
      if (action === null) return;
      const isText = owner === 'text' || owner === 'menu';
      if (isText && !(action !== 'prefix' && IN_TEXT.has(action))) return;
      // A button takes Enter itself, and a dialog keeps the keys of the page out.
      if (owner === 'control' && action === 'enter') return;
      const { help, palette, rule } = useUi.getState();
      if (help && action !== 'back' && action !== 'help') return;
      if (palette && action !== 'back' && action !== 'palette') return;
      if (rule && action !== 'back') return;
      if (action === 'prefix') {
        prefix = event.key;
        prefixAt = event.timeStamp;
        return;
      }
      if (event.repeat && !REPEATABLE.has(action)) return;
      event.preventDefault();
      const { repeat, isComposing: composing } = event;
      // The chord is no plain Enter: a row or a button does not take it.
      const key = action === 'submit' ? 'Mod+Enter' : event.key;
      const gesture: Gesture = (madeFor) => ({ by: 'key', key, repeat, composing, keyboard: owner, madeFor });
      runAction(action, gesture, owner);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}
