import { useLayoutEffect } from 'react';
import type { Theme } from '../../shared/settings.js';
import { useSettings } from '../settings/settings-store.js';

/** The chosen theme on the root element; `system` leaves it to the system. */
export function useTheme(): void {
  useThemeOf(useSettings((s) => s.settings.theme));
}

const MORE = '(prefers-contrast: more)';

/**
 * `data-theme` is light or dark where the reviewer chose one; `data-contrast` is there when they, or their system, ask for
 * more contrast. What the system says is followed while the window is open.
 */
export function useThemeOf(theme: Theme): void {
  useLayoutEffect(() => {
    const { dataset } = document.documentElement;
    if (theme === 'light' || theme === 'dark') dataset['theme'] = theme;
    else delete dataset['theme'];
    const system = typeof window.matchMedia === 'function' ? window.matchMedia(MORE) : null;
    const update = (): void => {
      if (theme === 'high_contrast' || system?.matches) dataset['contrast'] = 'more';
      else delete dataset['contrast'];
    };
    update();
    system?.addEventListener('change', update);
    return () => system?.removeEventListener('change', update);
  }, [theme]);
}
