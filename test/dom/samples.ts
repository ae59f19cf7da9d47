import { createHash } from 'node:crypto';
import type { Decision } from '../../shared/decision.js';
import type { HistoryEvent } from '../../shared/history-event.js';
import type { CallView, MessageView, RunDetail } from '../../shared/ipc.js';
import type { Journal } from '../../shared/journal.js';
import type { RunRow } from '../../shared/run-row.js';
import { type Effect, toolFacts } from '../../shared/tool-table.js';

/** Builders of what main would send: plausible values, everything else by argument. */
export const sha = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

export const T0 = '2026-03-02T09:00:00Z';

export function makeRow(id: string, change: Partial<RunRow> = {}): RunRow {
  return {
    id,
    status: 'waiting',
    needsPerson: true,
    system: 'klieo',
    source: 'inbox',
    runId: '01K0QZ7N9V3M8XKD2RB5F1XGA0',
    seq: 1,
    step: 2,
    threadId: 't-1',
    route: 'here',
    tools: ['send_email'],
    calls: 1,
    effect: 'changes',
    createdAt: T0,
    takenInAt: T0,
    expiresAt: null,
    preview: '',
    note: '',
    snoozedUntil: null,
    decidedAt: null,
    decidedBy: null,
    ...change,
  };
}

export interface CallOptions {
  index?: number;
  name?: string;
  effect?: Effect;
  known?: boolean;
  /** How much of the text is sent with the card. */
  cutAt?: number;
  change?: Partial<CallView>;
}

export function makeCall(text: string, options: CallOptions = {}): CallView {
  const { index = 0, name = 'send_email', effect = 'changes', known = true, cutAt = 65_536, change = {} } = options;
  const row = { source: '*', server: '*', tool: name, effect, repeatable: false, noReview: false };
  return {
    index,
    id: `call-${index}`,
    name,
    argumentsSha256: sha(text),
    argumentsText: text.slice(0, cutAt),
    argumentsLength: text.length,
    facts: toolFacts(known ? [row] : [], 'inbox', 'filesystem', name),
    server: 'filesystem',
    claims: {},
    sentAs: 'as_written',
    answered: false,
    warnings: [],
    draft: {},
    ...change,
  };
}

const EFFECT_ORDER: readonly Effect[] = ['read_only', 'changes', 'destructive'];

export type DetailChange = Omit<Partial<RunDetail>, 'row'> & { row?: Partial<RunRow> };

export function makeDetail(id: string, calls: CallView[], change: DetailChange = {}): RunDetail {
  const gravest = calls
    .map((call) => call.facts.effect)
    .sort((a, b) => EFFECT_ORDER.indexOf(b) - EFFECT_ORDER.indexOf(a));
  const row = makeRow(id, {
    tools: calls.map((call) => call.name),
    calls: calls.length,
    effect: gravest[0] ?? 'changes',
    preview: calls[0]?.argumentsText.slice(0, 80) ?? '',
    ...change.row,
  });
  return {
    binding: { revision: 1, resumeStep: 2, digest: sha(`record ${id}`) },
    refusal: null,
    suspension: { system: 'klieo', source: row.source, runId: row.runId, seq: 1 },
    checkpointId: null,
    fileState: 'waiting',
    size: 640,
    reason: null,
    warnings: [],
    calls,
    hasCallList: true,
    approveBlocked: [],
    messages: [makeMessage(0, 'user', 'Please do it.')],
    decision: null,
    journal: null,
    latch: null,
    waiting: null,
    running: false,
    finalAnswer: null,
    history: [makeEvent('taken_in', 'From the inbox.')],
    unanswered: [],
    ...change,
    row,
  };
}

/** A record in which nothing waits: listed under "other", with the words of its system. */
export function makeOther(id: string, classification: string, change: DetailChange = {}): RunDetail {
  const { row, ...more } = change;
  return makeDetail(id, [], {
    hasCallList: false,
    fileState: 'running',
    classification,
    ...more,
    row: {
      status: 'not_continued',
      needsPerson: false,
      other: true,
      system: 'runifold',
      classification,
      note: classification,
      ...row,
    },
  });
}

export function makeMessage(
  index: number,
  role: MessageView['role'],
  content: string,
  change: Partial<MessageView> = {},
): MessageView {
  return { index, role, content, contentLength: content.length, toolCalls: [], toolCallId: null, ...change };
}

export function makeEvent(kind: string, text: string, change: Partial<HistoryEvent> = {}): HistoryEvent {
  const suspension = { system: 'klieo' as const, source: 'inbox', runId: '01K0QZ7N9V3M8XKD2RB5F1XGA0', seq: 1 };
  return { at: T0, kind, by: null, suspension, call: null, text, facts: {}, ...change };
}

export function makeDecision(
  detail: RunDetail,
  verdicts: Decision['verdicts'],
  change: Partial<Decision> = {},
): Decision {
  return {
    v: 1,
    decisionId: '01K0QZ7N9V3M8XKD2RB5F1XGD0',
    suspension: detail.suspension ?? { system: 'klieo', source: 'inbox', runId: 'x', seq: 1 },
    resumeStep: 2,
    revision: detail.binding?.revision ?? 1,
    digest: detail.binding?.digest ?? '',
    verdicts,
    reviewer: { name: 'Ada' },
    decidedAt: new Date().toISOString(),
    notBefore: new Date(Date.now() + 5_000).toISOString(),
    signatures: [],
    ...change,
  };
}

export function makeJournal(detail: RunDetail, calls: Journal['calls'], change: Partial<Journal> = {}): Journal {
  return {
    v: 1,
    suspension: detail.suspension ?? { system: 'klieo', source: 'inbox', runId: 'x', seq: 1 },
    decisionId: '01K0QZ7N9V3M8XKD2RB5F1XGD0',
    claim: sha('claim'),
    calls,
    loop: [],
    continuation: { state: 'pending' },
    ...change,
  };
}
