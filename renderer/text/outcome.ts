import type { CallState } from '../../shared/states.js';
import { s } from './plural.js';

/** Four endings that never share a word: rejected by a person, expired, withdrawn, blocked by the latch. */
const callState: Readonly<Record<CallState, string>> = {
  not_started: 'Not started',
  started: 'Started',
  done: 'Done',
  failed: 'Failed',
  unknown: 'Outcome unknown',
  rejected: 'Rejected by a person, not executed',
  answered: 'Answered before, not executed again',
};

const causes: Readonly<Record<string, string>> = {
  tool_error: 'the tool answered with an error',
  tool_not_available: 'not executed: tool not available',
  timeout: 'no answer in time',
  connection_lost: 'the connection was lost',
  crash: 'the application ended meanwhile',
  cancelled: 'stopped by a person',
  rejected_by_person: 'rejected by a person',
  given_up: 'given up by a person',
  completed_elsewhere: 'completed elsewhere',
  failed_elsewhere: 'failed elsewhere',
  cancelled_elsewhere: 'cancelled elsewhere',
};

const how: Readonly<Record<string, string>> = {
  it_ran: 'It ran',
  it_did_not: 'It did not run',
  give_up: 'Give up',
  dispatch_again: 'Sent again',
};

/** The words of what came of a decision. */
export const outcomeText = {
  outcome: {
    title: 'Outcome',
    status: {
      waiting: 'Waits for a decision',
      decided: 'Decided',
      held: 'Held: a second reviewer objects',
      resuming: 'Being continued',
      handed_over: 'Handed over to its agent',
      unknown_outcome: 'Unknown outcome: a call may have run',
      not_continued: 'Not continued: the model has not been asked',
      finished: 'Finished',
      failed: 'Failed, or closed by a person',
      expired: 'Expired. Nobody rejected it.',
      withdrawn: 'Withdrawn by the agent',
      superseded: 'Superseded: the run moved on',
      unreadable: 'Unreadable',
    },
    settled: 'Not continued: the calls are settled, the model has not been asked',
    recorded: 'Recorded, not executed.',
    since: (span: string) => `for ${span}`,
    running: 'This window is continuing the run.',
    stopping: 'Stopping after the call that is on its way.',
    answer: 'Final answer',
    continue: 'Continue',
    cancel: 'Stop',
    release: 'Release the claim',
    object: 'Object…',
    objectWhy: 'Why? It holds the run until a new decision.',
    objectSend: 'Object',
  },
  journal: {
    title: 'What happened',
    state: (state: CallState, cause: string | undefined) =>
      (state === 'failed' && cause === 'tool_not_available' && 'Not executed: tool not available') ||
      (state === 'answered' && cause?.endsWith('_elsewhere') && 'Result given by a person, not executed here') ||
      callState[state],
    call: (n: number) => `call ${n}`,
    byLoop: (step: number) => `run without review, step ${step}`,
    edited: 'edited',
    started: (at: string) => `started ${at}`,
    ended: (at: string) => `ended ${at}`,
    cause: (cause: string) => causes[cause] ?? cause.replaceAll('_', ' '),
    result: 'Result',
    emptyResult: 'The result is empty.',
    reconciled: (words: string, by: string, at: string) => `${words}, said ${by}, ${at}.`,
    suspendedAgain: (step: number) => `It waits again at step ${step}.`,
  },
  continuation: {
    pending: 'Goes on when every call is settled.',
    not_continued: 'Not continued',
    suspended_again: 'Suspended again',
    completed: 'Completed',
    failed: 'Failed',
    closed: 'Closed by a person',
  },
  reconcile: {
    title: 'Did it run?',
    tag: (n: number) => `Unknown outcome · ${n} call${s(n)}`,
    words:
      'The call was started, and nobody knows how it ended. Nothing repeats it by itself. Look at the other side first, then say what is true.',
    cameLatched:
      'The record was already latched when it came: somebody claimed it before, and its calls may have run. Look at the other side first.',
    evidence: (name: string) => `Evidence for ${name}`,
    actions: (name: string) => `What is true of ${name}`,
    journal: 'Journal',
    noJournal: 'none here: it was claimed before it came',
    noTime: 'not recorded',
    startedAt: 'Started',
    cutAt: 'Cut at',
    cause: 'Cause',
    answer: 'Last answer',
    callId: 'Call id',
    claim: 'Claim',
    decided: 'Decision',
    repeatable: 'Tool table',
    how: (word: string) => how[word] ?? word.replaceAll('_', ' '),
    means: {
      it_ran: 'Its effect happened. The agent gets the result that you write here.',
      it_did_not: 'Nothing happened. It may be dispatched again, by an explicit act.',
      give_up: 'Nobody can say. The run is closed and goes no further.',
    },
    result: 'Result, as the agent shall get it',
    note: 'Note (how you know)',
    confirm: { it_ran: 'Record: it ran', it_did_not: 'Record: it did not run', give_up: 'Close the run' },
    settled: (name: string, said: string) => `${name}: ${(how[said] ?? said).toLowerCase()}, recorded.`,
    mayRepeat: (n: number) =>
      `Your tool table says that ${n === 1 ? 'this call is' : 'all of these calls are'} repeatable.`,
    dispatchAgain: 'Dispatch again…',
    dispatchConfirm: (n: number) => `Yes, send ${n} call${s(n)} again`,
  },
  history: {
    title: 'History',
    events: 'Events',
    search: 'Search history',
    none: 'Nothing has happened yet.',
    ofRun: 'History of this run',
    count: (shown: number, all: number) => (shown === all ? `${all} events` : `${shown} of ${all} events`),
    kind: (kind: string) =>
      ({
        came_second: 'came second',
        claim_given_up: 'claim given up elsewhere',
        taken_in: 'taken in',
        decision_withdrawn: 'decision taken back',
        answered: 'answered, not executed here',
      })[kind] ?? kind.replaceAll('_', ' '),
  },
} as const;
