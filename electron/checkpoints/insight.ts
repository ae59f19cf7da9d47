import { z } from 'zod';
import { Verdict } from '../../shared/decision.js';
import type { HistoryEvent } from '../../shared/history-event.js';
import type { Insight } from '../../shared/insight.js';
import type { Effect } from '../../shared/tool-table.js';

export interface InsightQuestion {
  /** Milliseconds since 1970. */
  now: number;
  /** How many days back, today included. */
  days: number;
  /** Whose own pace is asked for. */
  reviewer: string;
  effectOf(source: string, tool: string): Effect;
}

/** Bounds of the times to a decision, in seconds: a minute, ten, an hour, eight, a day, three. */
export const BOUNDS = [60, 600, 3600, 8 * 3600, 86_400, 3 * 86_400];
/** A longer pause than this ends a sitting, in seconds. */
const SITTING = 30 * 60;
const MOST_TOOLS = 50;

/** What a suspension's wait ends with. */
const ENDS = new Set(['decided', 'expired', 'withdrawn', 'superseded', 'reaped', 'closed']);

const DecidedFacts = z.object({
  verdicts: z.array(Verdict),
  tools: z.array(z.string()),
  rules: z.array(z.unknown()).optional(),
});

type ToolCount = Insight['tools'][number];

/**
 * Counts one suspension's events after the other; memory grows with days and tools, not with runs. A decision that was
 * taken back counts as none.
 */
export function insightCounter({ now, days, reviewer, effectOf }: InsightQuestion) {
  const dayEnds = lastDays(now, days);
  const perDay = dayEnds.map(({ day }) => ({ day, waiting: 0, decided: 0, decidedByMe: 0, expired: 0 }));
  const at = new Map(perDay.map((entry) => [entry.day, entry]));
  const waits: number[] = [];
  const tools = new Map<string, ToolCount>();
  const expired = new Map<string, number>();
  const mine: number[] = [];

  function countVerdicts(event: HistoryEvent): void {
    const facts = DecidedFacts.safeParse(event.facts);
    const source = event.suspension?.source;
    if (!facts.success || source === undefined) return;
    for (const verdict of facts.data.verdicts) {
      const tool = facts.data.tools[verdict.index];
      if (tool === undefined) continue;
      const effect = effectOf(source, tool);
      const name = `${effect} ${tool}`;
      const count = tools.get(name) ?? { tool, effect, approved: 0, edited: 0, rejected: 0, answered: 0, byRule: 0 };
      if (facts.data.rules) count.byRule += 1;
      if (verdict.verdict === 'reject') count.rejected += 1;
      else if (verdict.verdict === 'answer') count.answered += 1;
      else if (verdict.editedArguments !== undefined) count.edited += 1;
      else count.approved += 1;
      tools.set(name, count);
    }
  }

  return {
    /** `events` of one suspension; `names` the tools it asks for; `waited` false when it never waited for a person. */
    add(events: readonly HistoryEvent[], names: readonly string[], waited: boolean): void {
      if (!waited) return;
      const takenBack = events.some(({ kind }) => kind === 'decision_withdrawn');
      const told = events.filter(({ kind }) => !(takenBack && (kind === 'decided' || kind === 'decision_withdrawn')));
      const begin = told.find(({ kind }) => kind === 'taken_in');
      const end = told.find(({ kind }) => ENDS.has(kind));
      const from = begin ? Date.parse(begin.at) : Number.NaN;
      const to = end ? Date.parse(end.at) : Number.POSITIVE_INFINITY;
      for (const [i, { end: dayEnd }] of dayEnds.entries()) {
        const entry = perDay[i];
        if (entry && from < dayEnd && to >= Math.min(dayEnd, now)) entry.waiting += 1;
      }
      if (end?.kind === 'decided') {
        const day = at.get(dayOf(to));
        const isRule = end.facts['rules'] !== undefined;
        const isMine = end.by === reviewer && !isRule;
        if (day) {
          day.decided += 1;
          if (isMine) day.decidedByMe += 1;
        }
        if (isMine) mine.push(to);
        if (!Number.isNaN(from) && !isRule) waits.push(Math.max(0, (to - from) / 1000));
        countVerdicts(end);
      } else if (end?.kind === 'expired') {
        const day = at.get(dayOf(to));
        if (day) day.expired += 1;
        for (const tool of new Set(names)) expired.set(tool, (expired.get(tool) ?? 0) + 1);
      }
    },
    result(): Insight {
      const sorted = mine.sort((a, b) => a - b);
      const gaps = sorted.slice(1).map((time, i) => (time - (sorted[i] ?? time)) / 1000);
      return {
        days: perDay,
        toDecision: { medianSeconds: median(waits), buckets: inBuckets(waits) },
        tools: [...tools.values()].sort((a, b) => total(b) - total(a) || compare(a.tool, b.tool)).slice(0, MOST_TOOLS),
        expired: [...expired]
          .map(([tool, runs]) => ({ tool, runs }))
          .sort((a, b) => b.runs - a.runs || compare(a.tool, b.tool))
          .slice(0, MOST_TOOLS),
        myPace: { decisions: mine.length, medianSeconds: median(gaps.filter((gap) => gap <= SITTING)) },
      };
    },
  };
}

const total = ({ approved, edited, rejected, answered }: ToolCount): number => approved + edited + rejected + answered;
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function inBuckets(seconds: readonly number[]): Insight['toDecision']['buckets'] {
  const bounds = [...BOUNDS, null];
  const buckets = bounds.map((upTo) => ({ upTo, runs: 0 }));
  for (const one of seconds) {
    const bucket = buckets.find(({ upTo }) => upTo === null || one <= upTo);
    if (bucket) bucket.runs += 1;
  }
  return buckets;
}

function median(numbers: readonly number[]): number | null {
  const sorted = [...numbers].sort((a, b) => a - b);
  const high = sorted[Math.floor(sorted.length / 2)];
  const low = sorted[Math.ceil(sorted.length / 2) - 1];
  return high === undefined || low === undefined ? null : (low + high) / 2;
}

/** Local day as `2026-03-02`. */
function dayOf(ms: number): string {
  const date = new Date(ms);
  const two = (n: number): string => String(n).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** Days with the instants of their ends, oldest first. By the calendar, so that a day of 23 or 25 hours is one. */
function lastDays(now: number, days: number): { day: string; end: number }[] {
  const today = new Date(now);
  return Array.from({ length: days }, (_, i) => {
    const back = days - 1 - i;
    const start = new Date(today.getFullYear(), today.getMonth(), today.getDate() - back);
    const end = new Date(today.getFullYear(), today.getMonth(), today.getDate() - back + 1);
    return { day: dayOf(start.getTime()), end: end.getTime() };
  });
}
