import { s } from './plural.js';

/** The words of the insight page. */
export const insightText = {
  title: 'Insight',
  hint: 'Counted from the history of this store; nothing leaves this machine. A decision that was taken back is not counted.',
  days: (n: number) => `Last ${n} days`,
  range: 'Range',
  waiting: 'Waiting over time',
  waitingMean: 'Runs that waited at the end of each day, and what was decided or expired in it.',
  series: { waiting: 'Waiting', decided: 'Decided', mine: 'Decided by you', expired: 'Expired' },
  day: 'Day',
  toDecision: 'Time to a decision',
  median: (time: string) => `Half of them within ${time}.`,
  bucket: (time: string | null, before: string | null) =>
    time === null ? `over ${before ?? ''}` : before === null ? `up to ${time}` : `${before} to ${time}`,
  runs: 'Runs',
  tools: 'Decisions by tool',
  byClass: 'Decisions by effect class',
  tool: 'Tool',
  effect: 'Effect class',
  verdicts: { approved: 'Approved', edited: 'Edited', rejected: 'Rejected', answered: 'Answered' },
  byRule: 'Of these by a rule',
  expired: 'Expired undecided',
  expiredMean: 'Runs that nobody decided before they expired, by the tools they asked for.',
  noneExpired: 'None expired undecided.',
  pace: 'Your own pace',
  paceMean: (decisions: number, time: string | null) =>
    decisions === 0
      ? 'No decision under your name yet.'
      : `${decisions} decision${s(decisions)}${time === null ? '' : `; half of them within ${time} of the one before`}.`,
  fast: 'That is quicker than a card can be read. Whoever decides so fast approves nearly everything.',
  nothing: 'Nothing has been decided yet.',
  asTable: 'As a table',
} as const;
