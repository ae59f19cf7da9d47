import type { Session, WebContents } from 'electron';
import { APPROVE_URL, isPage } from './origin.js';

interface Preventable {
  preventDefault(): void;
}

/**
 * Keeps contents on the one page (I10): no other address, no new window, no embedded view. `url` in the events is the
 * address wanted; a frame inside the page may be the approve control, and nothing else.
 */
export function guardContents(contents: WebContents, pageUrl: string): void {
  const onlyThePage = (event: Preventable & { url: string; isMainFrame: boolean }): void => {
    if (!isPage(event.url, event.isMainFrame ? pageUrl : APPROVE_URL)) event.preventDefault();
  };
  contents.on('will-navigate', onlyThePage);
  contents.on('will-frame-navigate', onlyThePage);
  contents.on('will-redirect', onlyThePage);
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
}

/** No permission is given, asked for or merely looked up, no device is handed out, nothing is downloaded. */
export function guardSession(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  session.on('will-download', (event) => event.preventDefault());
}
