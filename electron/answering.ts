import type { z } from 'zod';
import { type ApproveParsed, type ApproveResult, approveContract } from '../shared/approve.js';
import type { ApproveChannel, InvokeChannel } from '../shared/channels.js';
import { contract, type ParsedArgs, type Result } from '../shared/ipc.js';
import { refused } from '../shared/refusal.js';

/** One function a channel, with parsed arguments. Expected refusals are returned; what is thrown is a fault. */
export type Handlers = {
  [C in InvokeChannel]: (...args: ParsedArgs<C>) => Result<C> | Promise<Result<C>>;
};

/** The same for the approve control. Who may ask which is looked at before a request comes here. */
export type ApproveHandlers = {
  [C in ApproveChannel]: (...args: ApproveParsed<C>) => ApproveResult<C> | Promise<ApproveResult<C>>;
};

export type Reply = { ok: true; value: unknown } | ReturnType<typeof refused>;

/** Answers one request as it came, unparsed. Never rejects for what a handler throws. */
export type Answer = (channel: InvokeChannel | ApproveChannel, raw: readonly unknown[]) => Promise<Reply>;

function place(issue: z.core.$ZodIssue): string {
  const path = issue.path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return path === '' ? 'the arguments' : `argument ${path}`;
}

const words = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

const rows: Record<InvokeChannel | ApproveChannel, { args: z.ZodType<readonly unknown[]>; result: z.ZodType }> = {
  ...contract,
  ...approveContract,
};

/** Answers the channels of shared/ipc.ts and shared/approve.ts: arguments and results are parsed here, where the handlers run. */
export function answering(handlers: Handlers & ApproveHandlers, log: (text: string) => void): Answer {
  return async (channel, raw) => {
    const row = rows[channel];
    const args = row.args.safeParse(raw);
    if (!args.success) {
      const issues = args.error.issues.map((issue) => `${place(issue)}: ${issue.message}`);
      const text = `${channel} was asked with something else than agreed. ${issues[0] ?? ''}`.trim();
      return refused('bad_request', text, { channel, issues: issues.slice(0, 20) });
    }
    const handler = handlers[channel] as (...args: readonly unknown[]) => unknown;
    try {
      return row.result.parse(await handler(...args.data)) as Reply;
    } catch (cause) {
      // The page gets the message and no stack; the full error is of no use there.
      log(`${channel} failed: ${words(cause)}`);
      return refused('fault', `Something failed inside Holdpoint (${channel}): ${words(cause)}`, { channel });
    }
  };
}
