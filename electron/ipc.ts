import { BrowserWindow, type IpcMainInvokeEvent, ipcMain } from 'electron';
import { type EventChannel, INVOKE_CHANNELS, type InvokeChannel } from '../shared/channels.js';
import type { Answer } from './answering.js';

/** Who asks, as it was when the request came in. */
export interface Sender {
  url: string;
  /** False for a frame inside a page. */
  top: boolean;
}

export type IsTrusted = (sender: Sender, channel: InvokeChannel) => boolean;
type Log = (text: string) => void;

/** Null for a frame that is gone, detached, or that cannot be asked any more: such a sender is never trusted. */
function senderOf(event: IpcMainInvokeEvent): Sender | null {
  try {
    const frame = event.senderFrame;
    // After a crash of the page and its reload, Electron goes on calling the live main frame detached.
    if (!frame || (frame.detached && frame !== event.sender.mainFrame)) return null;
    return { url: frame.url, top: frame.parent === null };
  } catch {
    return null; // Electron throws when a frame is asked after its renderer has gone.
  }
}

/**
 * Takes every channel of shared/ipc.ts. The sender is checked before anything else, and before the first await, when
 * its frame still is the one that asked; a stranger's request is rejected, not answered.
 */
export function registerIpc(answer: Answer, isTrusted: IsTrusted, log: Log = console.error): void {
  for (const channel of INVOKE_CHANNELS) {
    ipcMain.handle(channel, (event, ...raw: unknown[]) => {
      const sender = senderOf(event);
      if (!sender || !isTrusted(sender, channel)) {
        log(`${channel} was asked by a stranger and not answered: ${sender?.url.slice(0, 200) ?? 'no frame'}`);
        throw new Error('not allowed');
      }
      return answer(channel, raw);
    });
  }
}

/** Tells every window that something changed; a window that is closing misses it without harm. */
export function broadcast(channel: EventChannel): void {
  for (const window of BrowserWindow.getAllWindows()) {
    if (window.isDestroyed() || window.webContents.isDestroyed() || window.webContents.isCrashed()) continue;
    window.webContents.send(channel);
  }
}
