import { z } from 'zod';
import type { HistoryEvent } from './history-event.js';
import { compareTimes } from './time.js';

/** How a run can end, by the kinds of its events. */
export const ENDINGS = ['completed', 'failed', 'closed', 'expired', 'withdrawn', 'reaped'] as const;
/** `edit`: approved with edited arguments. */
export const SAID = ['approve', 'edit', 'reject', 'answer'] as const;

export const DECIDERS = ['person', 'rule'] as const;

/** Which events are shown or exported; what is left out lets all through. */
export const HistoryFilter = z.strictObject({
  search: z.string().max(1000).optional(),
  /** The person, or the agent, in full. */
  by: z.string().max(1000).optional(),
  verdict: z.enum(SAID).optional(),
  tool: z.string().max(1000).optional(),
  /** Who decided: a person, or a rule in a person's name. */
  decider: z.enum(DECIDERS).optional(),
  ending: z.enum(ENDINGS).optional(),
  /** RFC 3339: from this instant on, and before that one. */
  since: z.string().optional(),
  until: z.string().optional(),
});
export type HistoryFilter = z.infer<typeof HistoryFilter>;

/** The tools that an event is about: that of its call, or all of the batch that was decided. */
export function toolsOf({ facts }: HistoryEvent): string[] {
  const { tool, tools } = facts;
  if (typeof tool === 'string') return [tool];
  return Array.isArray(tools) ? tools.filter((one) => typeof one === 'string') : [];
}

const Said = z.looseObject({ verdict: z.string(), editedArguments: z.string().optional() });

/** What a decision said, call by call and then on the step; none for any other event. */
export function saidIn({ facts }: HistoryEvent): string[] {
  const verdicts = Array.isArray(facts['verdicts']) ? facts['verdicts'] : [];
  return [...verdicts, facts['step']].flatMap((one) => {
    const said = Said.safeParse(one).data;
    return said === undefined ? [] : [said.editedArguments === undefined ? said.verdict : 'edit'];
  });
}

const Rules = z.array(z.looseObject({ name: z.string() }));

/** The rules that decided, by name; none where a person did, or nothing was decided. */
export function rulesIn({ facts }: HistoryEvent): string[] {
  return (Rules.safeParse(facts['rules']).data ?? []).map(({ name }) => name);
}

export function matchesFilter(event: HistoryEvent, filter: HistoryFilter): boolean {
  if (filter.decider !== undefined && deciderOf(event) !== filter.decider) return false;
  if (filter.by !== undefined && event.by !== filter.by) return false;
  if (filter.verdict !== undefined && !saidIn(event).includes(filter.verdict)) return false;
  if (filter.tool !== undefined && !toolsOf(event).includes(filter.tool)) return false;
  if (filter.ending !== undefined && event.kind !== filter.ending) return false;
  if (filter.since !== undefined && (event.at === '' || compareTimes(event.at, filter.since) < 0)) return false;
  if (filter.until !== undefined && (event.at === '' || compareTimes(event.at, filter.until) >= 0)) return false;
  return filter.search === undefined || matchesEvent(event, filter.search);
}

function deciderOf(event: HistoryEvent): HistoryFilter['decider'] {
  if (event.kind !== 'decided') return undefined;
  return rulesIn(event).length > 0 ? 'rule' : 'person';
}

/** Every word must occur in what the line shows, or in the run's full name. */
export function matchesEvent(event: HistoryEvent, search: string): boolean {
  const words = search.toLowerCase().split(/\s+/u).filter(Boolean);
  const { suspension } = event;
  const fields = [event.kind, event.by ?? '', event.text, event.at, suspension?.runId ?? '', suspension?.source ?? ''];
  const haystack = fields.join('\n').toLowerCase();
  return words.every((word) => haystack.includes(word));
}
