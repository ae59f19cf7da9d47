import { BrowserWindow, type IpcMainInvokeEvent, ipcMain, type WebFrameMain } from 'electron';
import {
  APPROVE_CHANNELS,
  type ApproveChannel,
  type ApproveEvent,
  type EventChannel,
  INVOKE_CHANNELS,
  type InvokeChannel,
} from '../shared/channels.js';
import type { Answer } from './answering.js';
import { APPROVE_URL, isPage } from './shell/origin.js';

/** Who asks, as it was when the request came in. */
export interface Sender {
  url: string;
  /** As the browser has it: `null` for a frame that was shut into a sandbox, whatever its address says. */
  origin: string;
  /** False for a frame inside a page. */
  top: boolean;
  /** For a frame directly inside the page: the address of that page. */
  within: string | null;
}

type Channel = InvokeChannel | ApproveChannel;
type IsTrusted = (sender: Sender, channel: Channel) => boolean;
type Log = (text: string) => void;

/** Null for a frame that is gone, detached, or that cannot be asked any more: such a sender is never trusted. */
function senderOf(event: IpcMainInvokeEvent): Sender | null {
  try {
    const frame = event.senderFrame;
    // After a crash of the page and its reload, Electron goes on calling the live main frame detached.
    if (!frame || (frame.detached && frame !== event.sender.mainFrame)) return null;
    const { parent } = frame;
    const within = parent !== null && parent === event.sender.mainFrame ? parent.url : null;
    return { url: frame.url, origin: frame.origin, top: parent === null, within };
  } catch {
    return null; // Electron throws when a frame is asked after its renderer has gone.
  }
}

/**
 * The sender is checked before anything else, and before the first await, when its frame still is the one that asked; a
 * stranger's request is rejected, not answered.
 */
function take(channels: readonly Channel[], answer: Answer, isTrusted: IsTrusted, log: Log): void {
  for (const channel of channels) {
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

/** Takes every channel of shared/ipc.ts, from the page. */
export function registerIpc(answer: Answer, isTrusted: IsTrusted, log: Log = console.error): void {
  take(INVOKE_CHANNELS, answer, isTrusted, log);
}

/** Takes every channel of shared/approve.ts, from the approve control. */
export function registerApprove(answer: Answer, isTrusted: IsTrusted, log: Log = console.error): void {
  take(APPROVE_CHANNELS, answer, isTrusted, log);
}

/** What the approve control is told of: its own event, and whatever may have changed what it shows. */
const FOR_THE_CONTROL: readonly (EventChannel | ApproveEvent)[] = [
  'approve:changed',
  'runs:changed',
  'settings:changed',
];

/** Tells every window that something changed; a window that is closing misses it without harm. */
export function broadcast(channel: EventChannel | ApproveEvent): void {
  for (const window of BrowserWindow.getAllWindows()) {
    if (window.isDestroyed() || window.webContents.isDestroyed() || window.webContents.isCrashed()) continue;
    if (channel !== 'approve:changed') window.webContents.send(channel);
    if (FOR_THE_CONTROL.includes(channel)) tellControl(window.webContents.mainFrame.frames);
  }
}

function tellControl(frames: readonly WebFrameMain[]): void {
  const changed: ApproveEvent = 'approve:changed';
  for (const frame of frames) if (isControl(frame)) frame.send(changed);
}

function isControl(frame: WebFrameMain): boolean {
  try {
    return !frame.detached && isPage(frame.url, APPROVE_URL);
  } catch {
    return false; // Electron throws when a frame is asked after its renderer has gone; a new one asks by itself.
  }
}
