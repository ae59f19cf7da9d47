import { BrowserWindow, type IpcMainInvokeEvent, ipcMain } from 'electron';
import type { z } from 'zod';
import { type EventChannel, INVOKE_CHANNELS, type InvokeChannel } from '../shared/channels.js';
import { contract, type ParsedArgs, type Result } from '../shared/ipc.js';
import { refused } from '../shared/refusal.js';

/** One function a channel, with parsed arguments. Expected refusals are returned; what is thrown is a fault. */
export type Handlers = {
  [C in InvokeChannel]: (...args: ParsedArgs<C>) => Result<C> | Promise<Result<C>>;
};

/** Who asks, as it was when the request came in. */
export interface Sender {
  url: string;
  /** False for a frame inside a page. */
  top: boolean;
}

export type IsTrusted = (sender: Sender, channel: InvokeChannel) => boolean;
type Log = (text: string) => void;
type Reply = { ok: true; value: unknown } | ReturnType<typeof refused>;

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

function place(issue: z.core.$ZodIssue): string {
  const path = issue.path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return path === '' ? 'the arguments' : `argument ${path}`;
}

const words = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

async function reply(
  channel: InvokeChannel,
  raw: readonly unknown[],
  handler: (...args: readonly unknown[]) => unknown,
  log: Log,
): Promise<Reply> {
  const row: { args: z.ZodType<readonly unknown[]>; result: z.ZodType } = contract[channel];
  const args = row.args.safeParse(raw);
  if (!args.success) {
    const issues = args.error.issues.map((issue) => `${place(issue)}: ${issue.message}`);
    return refused('bad_request', `${channel} was asked with something else than agreed. ${issues[0] ?? ''}`.trim(), {
      channel,
      issues: issues.slice(0, 20),
    });
  }
  try {
    return row.result.parse(await handler(...args.data)) as Reply;
  } catch (cause) {
    // The page gets the message and no stack; the full error is of no use there.
    log(`${channel} failed: ${words(cause)}`);
    return refused('fault', `Something failed inside Holdpoint (${channel}): ${words(cause)}`, { channel });
  }
}

/**
 * Answers every channel of shared/ipc.ts. The sender is checked before anything else, and before the first await, when
 * its frame still is the one that asked; a stranger's request is rejected, not answered.
 */
export function registerIpc(handlers: Handlers, isTrusted: IsTrusted, log: Log = console.error): void {
  for (const channel of INVOKE_CHANNELS) {
    const handler = handlers[channel] as (...args: readonly unknown[]) => unknown;
    ipcMain.handle(channel, (event, ...raw: unknown[]) => {
      const sender = senderOf(event);
      if (!sender || !isTrusted(sender, channel)) {
        log(`${channel} was asked by a stranger and not answered: ${sender?.url.slice(0, 200) ?? 'no frame'}`);
        throw new Error('not allowed');
      }
      return reply(channel, raw, handler, log);
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
