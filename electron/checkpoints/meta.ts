import { z } from 'zod';
import type { Decision } from '../../shared/decision.js';
import type { Journal } from '../../shared/journal.js';
import { maskSecrets } from '../../shared/mask.js';
import { compareTimes } from '../../shared/time.js';

/** What the index keeps of a decision and of a journal: enough to derive a status without reading them. */
export const DecisionMeta = z.strictObject({
  id: z.string(),
  by: z.string(),
  at: z.string(),
  nb: z.string(),
  /** approve, reject or mixed. */
  v: z.enum(['approve', 'reject', 'mixed']),
  withdrawn: z.boolean(),
  held: z.boolean(),
  closed: z.boolean(),
  /** Names of the rules that decided, where no person did. */
  ru: z.string().optional(),
});
export type DecisionMeta = z.infer<typeof DecisionMeta>;

export const JournalMeta = z.strictObject({
  unknown: z.number().int(),
  notStarted: z.number().int(),
  /** RFC 3339 of the oldest call that was started and not answered yet. */
  startedAt: z.string().nullable(),
  state: z.string(),
  cause: z.string().nullable(),
  at: z.string().nullable(),
  text: z.string(),
  decisionId: z.string().nullable(),
});
export type JournalMeta = z.infer<typeof JournalMeta>;

export function decisionSummary(decision: Decision): DecisionMeta {
  const said = [...decision.verdicts.map((v) => v.verdict), ...(decision.step ? [decision.step.verdict] : [])];
  const approve = said.includes('approve') || said.includes('answer');
  return {
    id: decision.decisionId,
    by: decision.reviewer.name.slice(0, 200),
    at: decision.decidedAt,
    nb: decision.notBefore,
    v: approve && said.includes('reject') ? 'mixed' : approve ? 'approve' : 'reject',
    withdrawn: decision.withdrawn !== undefined,
    held: (decision.objections?.length ?? 0) > 0,
    closed: false,
    ...(decision.rules ? { ru: ruleNames(decision.rules).slice(0, 200) } : {}),
  };
}

/** Rules as they are named beside a decision. */
export const ruleNames = (rules: NonNullable<Decision['rules']>): string => rules.map(({ name }) => name).join(', ');

export const decisionMeta = (decision: Decision): string => JSON.stringify(decisionSummary(decision));

export function closedMeta(at: string): string {
  const meta: DecisionMeta = { id: '', by: '', at, nb: at, v: 'reject', withdrawn: false, held: false, closed: true };
  return JSON.stringify(meta);
}

export function journalSummary(journal: Journal): JournalMeta {
  const calls = [...journal.calls, ...journal.loop];
  const started = calls
    .flatMap((call) => (call.state === 'started' && call.startedAt ? [call.startedAt] : []))
    .sort(compareTimes);
  const end = journal.continuation;
  return {
    unknown: calls.filter((call) => call.state === 'unknown').length,
    notStarted: calls.filter((call) => call.state === 'not_started').length,
    startedAt: started[0] ?? null,
    state: end.state,
    cause: 'cause' in end ? end.cause : null,
    at: 'at' in end ? end.at : null,
    text: maskSecrets(('text' in end ? end.text : 'answer' in end ? end.answer : '').slice(0, 4096)).slice(0, 200),
    decisionId: journal.decisionId,
  };
}

export const journalMeta = (journal: Journal): string => JSON.stringify(journalSummary(journal));

const parse = <T>(schema: z.ZodType<T>, text: string): T | null => {
  // Most suspensions have neither, and a fault that is thrown for each costs more than all the rest of a row.
  if (text === '') return null;
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
};
export const readDecisionMeta = (text: string): DecisionMeta | null => parse(DecisionMeta, text);
export const readJournalMeta = (text: string): JournalMeta | null => parse(JournalMeta, text);
