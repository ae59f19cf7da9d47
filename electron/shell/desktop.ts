import { type BrowserWindow, dialog, shell } from 'electron';
import type { Desktop } from './external-link.js';

/** The desktop as `openExternal` needs it: a question that shows the whole address, its safe answer first. */
export function desktopOf(window: BrowserWindow): Desktop {
  return {
    async confirm(url) {
      const { response } = await dialog.showMessageBox(window, {
        type: 'question',
        message: 'Open this address in your browser?',
        detail: url,
        buttons: ['Cancel', 'Open'],
        defaultId: 0,
        cancelId: 0,
        noLink: true,
      });
      return response === 1;
    },
    open: (url) => shell.openExternal(url),
  };
}
