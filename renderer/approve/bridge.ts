import '../jitless.js';
import { z } from 'zod';
import { type ApproveArgs, type ApproveBridge, type ApproveResult, approveContract } from '../../shared/approve.js';
import type { ApproveChannel } from '../../shared/channels.js';
import { refused } from '../../shared/refusal.js';
import { text } from '../text.js';

declare global {
  interface Window {
    holdpointApprove: ApproveBridge;
  }
}

/** Asks the main process, as the approve control; a lost or malformed reply becomes a refusal (code `fault`). */
export async function call<C extends ApproveChannel>(channel: C, ...args: ApproveArgs<C>): Promise<ApproveResult<C>> {
  let reply: unknown;
  try {
    reply = await window.holdpointApprove.invoke(channel, ...args);
  } catch (error) {
    return refused('fault', text.fault(channel, String(error))) as ApproveResult<C>;
  }
  const parsed = approveContract[channel].result.safeParse(reply);
  if (parsed.success) return parsed.data as ApproveResult<C>;
  return refused('fault', text.badReply(channel, z.prettifyError(parsed.error))) as ApproveResult<C>;
}
