import { formatNs } from '../../shared/time.js';
import type { Ports, ToolOutcome, ToolSession } from '../ports.js';
import { type KvStore, StoreFull } from '../store/contract.js';
import type { OpenJournal } from './journal.js';
import { mayDispatch, type Plan } from './may-fire.js';
import { readHead } from './records.js';

/**
 * Two ways to end early. `stop` is a person's: a call that is on its way is waited for, so that its outcome is known.
 * `signal` ends everything at once (the application quits): a call on its way becomes unknown.
 */
export interface Stops {
  stop: AbortSignal;
  signal: AbortSignal;
}

export type DispatchEnd =
  | { kind: 'all_settled' }
  | { kind: 'unknown'; index: number }
  | { kind: 'stopped'; text: string };

/**
 * Runs the approved calls in batch order (H7): `started` is durable before the tool is asked, the outcome is durable
 * before the next one. A tool that answers with an error has answered, and the batch goes on; a call whose outcome
 * nobody knows stops it, and the rest stays not started.
 */
export async function dispatchBatch(
  store: KvStore,
  ports: Ports,
  open: OpenJournal,
  plan: Plan,
  tools: ToolSession,
  { stop, signal }: Stops,
): Promise<DispatchEnd> {
  for (const planned of plan.calls) {
    const entry = open.journal.calls.find((call) => call.index === planned.call.index);
    if (planned.kind !== 'dispatch' || entry?.state !== 'not_started') continue;
    if (stop.aborted || signal.aborted) return { kind: 'stopped', text: 'Stopped by a person before the next call.' };
    const head = await readHead(store, open.journal.suspension);
    const rule = mayDispatch(head?.head.latch ?? null, open.journal, entry, planned);
    if (!rule.ok) return { kind: 'stopped', text: rule.refusal.text };
    // Nothing was sent for a tool that no server offers: the call is answered, and the reviewer is told (C40).
    if (!tools.tools.some((tool) => tool.name === entry.name)) {
      await open.move(entry.index, 'failed', {
        cause: 'tool_not_available',
        result: `Not executed: no connected tool server offers "${entry.name}".`,
        endedAt: formatNs(ports.clock.now()),
      });
      continue;
    }
    await ports.at?.('dispatch.before-started');
    await open.move(entry.index, 'started', { startedAt: formatNs(ports.clock.now()) });
    await ports.at?.('dispatch.before-call');
    const outcome = await tools.call(entry.name, rule.value, { signal });
    await ports.at?.('dispatch.before-outcome');
    const settled = await settle(open, entry.index, entry.edited, outcome, formatNs(ports.clock.now()));
    await ports.at?.('dispatch.after-outcome');
    if (!settled) return { kind: 'unknown', index: entry.index };
  }
  const unknown = open.journal.calls.find((call) => call.state === 'unknown');
  return unknown ? { kind: 'unknown', index: unknown.index } : { kind: 'all_settled' };
}

/** Writes what came of one call; false when only a person can say. */
async function settle(
  open: OpenJournal,
  index: number,
  edited: boolean,
  outcome: ToolOutcome,
  endedAt: string,
): Promise<boolean> {
  switch (outcome.kind) {
    case 'result':
      await keep(open, index, 'done', { result: told(outcome.text, edited), endedAt });
      return true;
    case 'error':
      await keep(open, index, 'failed', { cause: 'tool_error', result: told(outcome.text, edited), endedAt });
      return true;
    case 'not_available':
      await open.move(index, 'failed', {
        cause: 'tool_not_available',
        result: `Not executed: ${outcome.text}`,
        endedAt,
      });
      return true;
    case 'unknown':
      await open.move(index, 'unknown', { cause: outcome.cause, result: outcome.text, endedAt });
      return false;
  }
}

/** What stays of an answer that a full disk has no room for; that it ran is worth more than all it said. Characters. */
const CUT_RESULT = 2000;

/** Keeps an outcome. On a full disk the answer is cut rather than the fact that the call ended. */
async function keep(
  open: OpenJournal,
  index: number,
  to: 'done' | 'failed',
  change: { result: string; endedAt: string; cause?: string },
): Promise<void> {
  try {
    await open.move(index, to, change);
  } catch (error) {
    if (!(error instanceof StoreFull) || change.result.length <= CUT_RESULT) throw error;
    const result = `${change.result.slice(0, CUT_RESULT)}\n[Cut here: the disk was full when this answer came.]`;
    await open.move(index, to, { ...change, result });
  }
}

/** The model asked for other arguments than those that ran: it is told so. */
export function told(text: string, edited: boolean): string {
  return edited ? `[A human reviewer edited the arguments of this call before it ran.]\n${text}` : text;
}
