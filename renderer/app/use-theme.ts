import { useLayoutEffect } from 'react';
import { useSettings } from '../settings/settings-store.js';

/** The chosen theme on the root element; `system` leaves it to the system. */
export function useTheme(): void {
  const theme = useSettings((s) => s.settings.theme);
  useLayoutEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme;
  }, [theme]);
}
