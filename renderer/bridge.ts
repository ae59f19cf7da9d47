import './jitless.js';
import { z } from 'zod';
import type { EventChannel, InvokeChannel } from '../shared/channels.js';
import { type Args, contract, type HoldpointBridge, type Result } from '../shared/ipc.js';
import { refused } from '../shared/refusal.js';
import { text } from './text.js';

declare global {
  interface Window {
    holdpoint: HoldpointBridge;
  }
}

/**
 * Asks the main process and parses the reply with the schema of the channel. A refusal is a value; a lost or malformed
 * reply becomes one too (code `fault`), so that no button is left without an answer.
 */
export async function call<C extends InvokeChannel>(channel: C, ...args: Args<C>): Promise<Result<C>> {
  let reply: unknown;
  try {
    reply = await window.holdpoint.invoke(channel, ...args);
  } catch (error) {
    return refused('fault', text.fault(channel, String(error))) as Result<C>;
  }
  const parsed = contract[channel].result.safeParse(reply);
  if (parsed.success) return parsed.data as Result<C>;
  return refused('fault', text.badReply(channel, z.prettifyError(parsed.error))) as Result<C>;
}

/** Listens to a change event; the returned function stops it. */
export function listen(channel: EventChannel, listener: () => void): () => void {
  return window.holdpoint.on(channel, listener);
}
