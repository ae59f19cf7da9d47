import { type RefObject, useEffect, useLayoutEffect } from 'react';
import type { ApproveState } from '../../shared/approve.js';
import { useApprove } from './store.js';

/** The control as a frame: loads when main says so, follows the theme, and tells the page how tall it would like to be. */
export function useFrame(root: RefObject<HTMLElement | null>, theme: ApproveState['theme']): void {
  useEffect(() => {
    const load = (): void => void useApprove.getState().load();
    load();
    return window.holdpointApprove.on('approve:changed', load);
  }, []);

  useLayoutEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme;
  }, [theme]);

  useEffect(() => {
    const { current } = root;
    if (!current || typeof ResizeObserver === 'undefined') return;
    // A height and nothing else; whoever holds this frame may know it.
    const sizes = new ResizeObserver(() => window.parent.postMessage(current.offsetHeight + 2, '*'));
    sizes.observe(current);
    return () => sizes.disconnect();
  }, [root]);

  useEffect(() => {
    const onFocus = (): void => {
      if (document.activeElement === document.body) root.current?.focus();
    };
    window.addEventListener('focus', onFocus);
    return () => window.removeEventListener('focus', onFocus);
  }, [root]);
}
