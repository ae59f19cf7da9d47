import { type RefObject, useEffect } from 'react';
import type { ApproveState } from '../../shared/approve.js';
import { useThemeOf } from '../app/use-theme.js';
import { useApprove } from './store.js';

/** The control as a frame: loads when main says so, follows the theme, and tells the page how tall it would like to be. */
export function useFrame(root: RefObject<HTMLElement | null>, theme: ApproveState['theme']): void {
  useEffect(() => {
    const load = (): void => void useApprove.getState().load();
    load();
    return window.holdpointApprove.on('approve:changed', load);
  }, []);

  useThemeOf(theme);

  useEffect(() => {
    const { current } = root;
    if (!current || typeof ResizeObserver === 'undefined') return;
    // A height and nothing else; whoever holds this frame may know it.
    const tell = (): void => window.parent.postMessage(wantedHeight(current), '*');
    const sizes = new ResizeObserver(tell);
    sizes.observe(current);
    // Said again and again: so the page knows that this process lives.
    const alive = setInterval(tell, ALIVE_MS);
    return () => {
      sizes.disconnect();
      clearInterval(alive);
    };
  }, [root]);

  useEffect(() => {
    const onFocus = (): void => {
      if (document.activeElement === document.body) root.current?.focus();
    };
    window.addEventListener('focus', onFocus);
    return () => window.removeEventListener('focus', onFocus);
  }, [root]);
}

/** How often it says that it is there, in milliseconds. */
const ALIVE_MS = 700;

/** As tall as all of it would be; a list scrolls in what it gets. */
function wantedHeight(control: HTMLElement): number {
  const rows = control.querySelector('.rows.many');
  if (rows === null) return control.offsetHeight + 2;
  const parts = [...control.children].map((part) => (part === rows ? part.scrollHeight : part.clientHeight));
  return parts.reduce((sum, height) => sum + height + GAP, FRAME);
}

/** Between the parts of a list, and around them; pixels, rather more than less. */
const GAP = 10;
const FRAME = 28;
