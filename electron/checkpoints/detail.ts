import { sendable } from '../../shared/arguments.js';
import type { Message, PendingCall } from '../../shared/checkpoint.js';
import type { SuspensionKey } from '../../shared/decision.js';
import type { CallView, MessageView, RunDetail } from '../../shared/ipc.js';
import { accepted, type Outcome } from '../../shared/refusal.js';
import { checkTranscript } from '../../shared/transcript.js';
import type { ListedTool, Ports } from '../ports.js';
import type { KvStore } from '../store/contract.js';
import { type Desk, deskOf } from './desk.js';
import { claimFacts, classOf } from './facts.js';
import { headMeta, readHeadMeta } from './head.js';
import { historyOf } from './history.js';
import { suspensionsOf } from './intake.js';
import { suspensionText } from './keys.js';
import { mayDecide, openCalls } from './may-fire.js';
import { decisionSummary, journalSummary } from './meta.js';
import { type Loaded, load } from './records.js';
import { itemId, rowOf, type WaitingOf } from './rows.js';

/** Longest argument text and message text that goes with a card; the rest is asked for piece by piece. UTF-16 units. */
export const ARGUMENT_CUT = 64 * 1024;
export const MESSAGE_CUT = 16 * 1024;
/** Longest conversation that goes with a card: the newest messages. */
const MESSAGES = 400;

export interface DetailContext {
  waiting: WaitingOf;
  running: boolean;
  /** What the tool servers of the source were last seen to offer. */
  listed: readonly ListedTool[];
}

/** Everything that the card shows of one suspension, from the files and not from the index. */
export async function detailOf(
  store: KvStore,
  ports: Ports,
  key: SuspensionKey,
  context: DetailContext,
): Promise<Outcome<RunDetail>> {
  const loaded = await load(store, key);
  if (!loaded.ok) return loaded;
  const { head, record, revision, decision, journal, bytes } = loaded.value;
  const desk = await deskOf(store, key);
  const name = suspensionText(key);
  const meta = readHeadMeta(headMeta(head));
  if (meta === null) throw new Error(`${name}: its own meta cannot be read`);
  const said = decision.kind === 'decision' ? decision.decision : null;
  const transcript = checkTranscript(record.messages, record.pending);
  const next = (await suspensionsOf(store, key)).find((s) => s.meta?.co === key.seq);
  const row = rowOf({
    name,
    key,
    meta,
    decision: said ? decisionSummary(said) : null,
    journal: journal ? journalSummary(journal.journal) : null,
    continued: next !== undefined,
    snoozedUntil: desk.snoozedUntil,
    ports,
    waiting: context.waiting(itemId(name)),
  });
  const end = journal?.journal.continuation;
  return accepted({
    row,
    binding: { revision, resumeStep: record.resumeStep, digest: head.digest },
    refusal: null,
    suspension: key,
    checkpointId: record.checkpointId,
    fileState: record.state,
    size: bytes.length,
    reason: head.reason,
    warnings: record.warnings,
    calls: (record.pending ?? []).map((call) =>
      callView(loaded.value, call, desk, transcript.answeredPending, ports, context.listed),
    ),
    hasCallList: (record.pending ?? []).length > 0,
    approveBlocked: approveBlocked(loaded.value, ports),
    messages: messageViews(record.messages),
    decision: said,
    journal: journal?.journal ?? null,
    latch: latchView(loaded.value),
    waiting: context.waiting(itemId(name)),
    running: context.running,
    finalAnswer: end?.state === 'completed' ? end.answer : null,
    history: await historyOf(store, key),
    unanswered: transcript.unanswered,
  });
}

function callView(
  loaded: Loaded,
  call: PendingCall,
  desk: Desk,
  answered: readonly number[],
  ports: Ports,
  listed: readonly ListedTool[],
): CallView {
  const { arguments: text, ...rest } = call;
  const tool = listed.find((t) => t.name === call.name);
  const path = `pending_tool_calls[${call.index}]`;
  return {
    ...rest,
    argumentsText: text.slice(0, ARGUMENT_CUT),
    argumentsLength: text.length,
    facts: classOf(ports.settings(), loaded.key.source, call.name, tool),
    server: tool?.server ?? null,
    claims: tool?.claims ?? {},
    sentAs: sendable(text).as,
    answered: answered.includes(call.index),
    warnings: loaded.record.warnings.filter(
      (w) => w.path === path || w.path.startsWith(`${path}.`) || w.path.startsWith(`${path}[`),
    ),
    draft: desk.drafts[String(call.index)] ?? {},
  };
}

/** Why Approve is not offered, in words; the same rule that decides, asked as if everything were approved (I12). */
function approveBlocked(loaded: Loaded, ports: Ports): string[] {
  const facts = claimFacts(loaded, ports);
  const open = openCalls(loaded);
  const verdicts = open.map((call) => ({
    index: call.index,
    argumentsSha256: call.argumentsSha256,
    verdict: 'approve' as const,
  }));
  const rule = mayDecide(facts, {
    verdicts,
    step: open.length === 0 ? { verdict: 'approve' } : undefined,
    repair: true,
  });
  const blocked = rule.ok ? [] : [rule.refusal.text];
  if (loaded.head.route === 'here')
    for (const call of open) {
      const text = sendable(call.arguments);
      if (!text.ok) blocked.push(`Call ${call.index + 1} (${call.name}): ${text.reason}`);
    }
  return blocked;
}

function latchView({ head, record }: Loaded): RunDetail['latch'] {
  if (head.latch) {
    const { kind, by, at } = head.latch;
    return { kind, by: `${by.name} (process ${by.pid} on ${by.host})`, at };
  }
  return record.state === 'latched' ? { kind: 'upstream', by: 'the record itself', at: record.createdAt ?? '' } : null;
}

function messageViews(messages: readonly Message[]): MessageView[] {
  return messages
    .map((message, index) => ({
      index,
      role: message.role,
      content: message.content.slice(0, MESSAGE_CUT),
      contentLength: message.content.length,
      toolCalls: message.toolCalls.map((call) => ({ ...call, arguments: call.arguments.slice(0, MESSAGE_CUT) })),
      toolCallId: message.toolCallId,
    }))
    .slice(-MESSAGES);
}
