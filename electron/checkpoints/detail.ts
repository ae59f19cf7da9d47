import { sendable } from '../../shared/arguments.js';
import type { Message, PendingCall } from '../../shared/checkpoint.js';
import type { Decision, SuspensionKey, Verdict } from '../../shared/decision.js';
import type { CallView, MessageView, RunDetail } from '../../shared/ipc.js';
import type { Journal } from '../../shared/journal.js';
import { accepted, type Outcome } from '../../shared/refusal.js';
import type { CallState } from '../../shared/states.js';
import { checkTranscript } from '../../shared/transcript.js';
import type { ListedTool, Ports } from '../ports.js';
import type { KvStore } from '../store/contract.js';
import { type Desk, deskOf } from './desk.js';
import { claimFacts, classOf } from './facts.js';
import { headMeta, readHeadMeta } from './head.js';
import { historyOf } from './history.js';
import { suspensionText } from './keys.js';
import type { KnownNames } from './look-alike.js';
import { type ClaimFacts, goesOn, mayDecide, openCalls, secondFor, tampered } from './may-fire.js';
import { decisionSummary, journalSummary } from './meta.js';
import { isOf, nameWarnings, pathsOf, toolsKnown } from './name-warnings.js';
import { successorOf } from './next-record.js';
import { type Loaded, load } from './records.js';
import { itemId, rowOf, type WaitingOf } from './rows.js';
import { schemaWarnings } from './schema-warnings.js';
import { readSignatures } from './signatures.js';

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
  const { head, record, revision, decision, journal, bytes, format, beside } = loaded.value;
  const desk = await deskOf(store, key);
  const name = suspensionText(key);
  const meta = readHeadMeta(headMeta(head));
  if (meta === null) throw new Error(`${name}: its own meta cannot be read`);
  const said = decision.kind === 'decision' ? decision.decision : null;
  const transcript = checkTranscript(record.messages, record.pending);
  const known = toolsKnown(ports.settings(), context.listed);
  const next = await successorOf(store, loaded.value);
  const facts = claimFacts(loaded.value, ports);
  const forged = tampered(facts);
  const row = rowOf({
    name,
    key,
    meta,
    decision: said ? decisionSummary(said) : null,
    journal: journal ? journalSummary(journal.journal) : null,
    continued: next !== null,
    claimedBeside: beside?.claim?.state ?? null,
    snoozedUntil: desk.snoozedUntil,
    ports,
    waiting: forged ?? context.waiting(itemId(name)),
  });
  const end = journal?.journal.continuation;
  const stored = format.storedOutcome?.(bytes) ?? null;
  const doubt = format.ambiguity?.(bytes) ?? null;
  return accepted({
    row,
    binding: { revision, resumeStep: record.resumeStep, digest: head.digest },
    refusal: null,
    suspension: key,
    checkpointId: record.checkpointId,
    fileState: record.state,
    size: bytes.length,
    reason: head.reason,
    warnings: [...record.warnings, ...conflictOf(loaded.value)],
    calls: (record.pending ?? []).map((call) =>
      callView(loaded.value, call, desk, transcript.answeredPending, ports, context.listed, known),
    ),
    hasCallList: (record.pending ?? []).length > 0,
    approveBlocked: approveBlocked(loaded.value, ports),
    messages: messageViews(record.messages),
    decision: said,
    journal: journal?.journal ?? null,
    latch: latchView(loaded.value),
    waiting: context.waiting(itemId(name)),
    running: context.running,
    finalAnswer: end?.state === 'completed' ? end.answer : (stored?.answer ?? null),
    history: await historyOf(store, key),
    unanswered: transcript.unanswered,
    ...(transcript.strays.length === 0 ? {} : { strays: transcript.strays }),
    ...(record.classification === undefined ? {} : { classification: record.classification }),
    ...(record.about === undefined ? {} : { about: record.about }),
    ...(beside === null || beside.lines.length === 0 ? {} : { neighbours: beside.lines }),
    ...(beside !== null && head.latch ? { claimState: claimStateOf(journal?.journal ?? null) } : {}),
    ...foreignClaimOf(loaded.value),
    ...(forged ? { tampered: forged } : {}),
    ...signaturesOf(facts, said),
    ...(goesOn(record) ? { goesOn: true } : {}),
    ...(record.onlyHandedOver === undefined ? {} : { onlyHandedOver: record.onlyHandedOver }),
    ...(doubt?.retry
      ? {
          retry: {
            ...doubt.retry,
            refused: doubt.refusal.text,
            blocked: approveBlocked(loaded.value, ports, doubt.retry),
          },
        }
      : {}),
    ...(stored ? { storedOutcome: stored } : {}),
    ...(next ? { continuedAs: itemId(suspensionText(next)) } : {}),
    ...(head.continuesKey ? { continues: itemId(suspensionText(head.continuesKey)) } : {}),
  });
}

/** Our latch and journal in starweaver's words (S16, S17): `started` from the first call that was sent on. */
function claimStateOf(journal: Journal | null): NonNullable<RunDetail['claimState']> {
  if (journal === null) return 'preflight';
  const begun = [...journal.calls, ...journal.loop].some(({ state }) => !UNTOUCHED.includes(state));
  return begun || journal.continuation.state !== 'pending' ? 'started' : 'admitted';
}

const UNTOUCHED: readonly CallState[] = ['not_started', 'rejected', 'answered'];

/** The claim of somebody else that a person may know to be given up: nothing has run under it. */
function foreignClaimOf({ head, beside }: Loaded): Pick<RunDetail, 'foreignClaim'> {
  if (beside?.claim?.state !== 'held' || beside.claimDigest === null || head.latch) return {};
  const { id, at, words } = beside.claim;
  return { foreignClaim: { id, at, words, digest: beside.claimDigest } };
}

/** Who signed, and what the rule of two still waits for. */
function signaturesOf(facts: ClaimFacts, decision: Decision | null): Pick<RunDetail, 'signatures' | 'second'> {
  if (decision === null) return {};
  const signatures = readSignatures(decision, facts.known).map(({ signature: { keyId, name, at }, state, key }) => ({
    keyId,
    name: key?.name ?? name,
    at,
    state,
    own: key?.own ?? false,
  }));
  const waits = facts.loaded.head.latch === null && !decision.withdrawn ? secondFor(facts, decision) : [];
  return { signatures, ...(waits.length > 0 ? { second: waits } : {}) };
}

/** What its system says against its having taken the place of an earlier record (S19). */
function conflictOf({ head }: Loaded): RunDetail['warnings'] {
  return head.conflict === null ? [] : [{ code: 'Conflict', path: '', text: head.conflict, blocksApproval: false }];
}

function callView(
  loaded: Loaded,
  call: PendingCall,
  desk: Desk,
  answered: readonly number[],
  ports: Ports,
  listed: readonly ListedTool[],
  known: KnownNames,
): CallView {
  const { arguments: text, paths: _paths, ...rest } = call;
  const tool = listed.find((t) => t.name === call.name);
  return {
    ...rest,
    argumentsText: text.slice(0, ARGUMENT_CUT),
    argumentsLength: text.length,
    facts: classOf(ports.settings(), loaded.key.source, call.name, tool),
    server: tool?.server ?? null,
    claims: tool?.claims ?? {},
    sentAs: sendable(text).as,
    answered: answered.includes(call.index),
    warnings: [
      ...nameWarnings(call, pathsOf(call)[0] ?? '', known),
      ...loaded.record.warnings.filter((warning) => isOf(warning, call)),
      ...(tool ? schemaWarnings(call, tool.inputSchema) : []),
    ],
    draft: desk.drafts[String(call.index)] ?? {},
    ...(tool && call.edits !== 'any_value' ? { hasSchema: true } : {}),
  };
}

/** Why Approve is not offered, in words; the same rule that decides, asked as if everything were approved (I12). */
function approveBlocked(loaded: Loaded, ports: Ports, retry?: Decision['retry']): string[] {
  const facts = claimFacts(loaded, ports);
  const open = openCalls(loaded);
  // A call that is made elsewhere is asked for its result, one that cannot be sent can only be rejected (`sentAs` says
  // so): whether the others may be approved does not hang on either.
  const verdicts = open.map(({ index, argumentsSha256, needs, arguments: text }): Verdict => {
    const bound = { index, argumentsSha256 };
    if (needs === 'result') return { ...bound, verdict: 'answer', answer: { status: 'completed', text: '' } };
    return { ...bound, verdict: loaded.head.route === 'here' && !sendable(text).ok ? 'reject' : 'approve' };
  });
  const rule = mayDecide(facts, {
    verdicts,
    step: open.length === 0 ? { verdict: 'approve' } : undefined,
    repair: true,
    retry,
  });
  return rule.ok ? [] : [rule.refusal.text];
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
