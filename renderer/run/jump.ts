import { create } from 'zustand';
import type { Warning } from '../../shared/checkpoint.js';
import type { CallView } from '../../shared/ipc.js';
import { useUi } from '../app/ui-store.js';
import { isAt, placeOfWarning } from './warning-place.js';

interface JumpState {
  /** The place that was jumped to, as `spotOf` names it; null: none. */
  at: string | null;
  /** Path of the value that a warning points at, which may lie deeper than the place that shows it. */
  path: string;
  /** The warning's code: what to look for inside a long text. */
  code: string;
  /** The warning that was left, to come back to. */
  from: HTMLElement | null;
}

/** The jump from a warning to its place. One at a time. */
export const useJump = create<JumpState>()(() => ({ at: null, path: '', code: '', from: null }));

export const argumentSpot = (path: string): string => `argument:${path}`;
export const messageSpot = (index: number): string => `message:${index}`;
export const NAME_SPOT = 'name';
export const ID_SPOT = 'id';

/** Goes from a warning to the place it points at; a place of the record that no part of the card shows is in the record. */
export function jumpTo(warning: Warning, call: CallView | null, from: HTMLElement): void {
  const place = placeOfWarning(warning.path, call);
  const jump = { code: warning.code, from, path: '' };
  switch (place.part) {
    case 'name':
      useJump.setState({ ...jump, at: NAME_SPOT });
      break;
    case 'id':
      useJump.setState({ ...jump, at: ID_SPOT });
      break;
    case 'argument':
      useJump.setState({ ...jump, path: place.path, at: argumentSpot(shownPath(place.path)) });
      break;
    case 'message':
      useUi.setState({ side: 'conversation', sideOpen: true });
      useJump.setState({ ...jump, at: messageSpot(place.index) });
      break;
    case 'record':
      useUi.setState({ side: 'raw', sideOpen: true });
      useJump.setState({ ...jump, at: 'record' });
      break;
  }
}

/** Back to the warning, with the focus. */
export function jumpBack(): void {
  const { from } = useJump.getState();
  useJump.setState({ at: null, from: null });
  from?.scrollIntoView({ block: 'nearest' });
  from?.focus({ preventScroll: true });
}

/** The innermost value on the card that holds `path`: deep ones are laid out as text of an outer one. */
function shownPath(path: string): string {
  const shown = [...document.querySelectorAll<HTMLElement>('.args [data-path]')]
    .map((element) => element.dataset['path'] ?? '')
    .filter((candidate) => isAt(path, candidate));
  return shown.reduce((longest, candidate) => (candidate.length > longest.length ? candidate : longest), '');
}
