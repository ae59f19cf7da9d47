import type { GcStatus, Taken } from '../../shared/ipc.js';
import { s } from './plural.js';

const effect = { read_only: 'Read-only', changes: 'Changes something', destructive: 'Destructive' } as const;

const status = {
  waiting: 'waiting',
  decided: 'decided, not executed',
  held: 'held by an objection',
  resuming: 'running',
  handed_over: 'handed over',
  unknown_outcome: 'unknown outcome',
  not_continued: 'not continued',
  finished: 'finished',
  failed: 'failed',
  expired: 'expired',
  withdrawn: 'withdrawn by the agent',
  superseded: 'superseded',
  unreadable: 'unreadable',
} as const;

/** The words of the frame, the list, and everything around the card. */
export const windowText = {
  fault: (channel: string, why: string) => `No answer to "${channel}": ${why}`,
  badReply: (channel: string, why: string) => `The answer to "${channel}" cannot be read: ${why}`,
  loading: 'Loading…',
  close: 'Close',
  cancel: 'Cancel',
  dismiss: 'Dismiss',
  toasts: 'Messages',
  copied: 'Copied.',
  copiedWith: (secrets: number, hidden: number) => {
    const masked = secrets > 0 ? `, ${secrets} secret${s(secrets)} masked` : '';
    return `Copied${masked}${hidden > 0 ? `, ${hidden} invisible character${s(hidden)} in it` : ''}.`;
  },
  notCopied: (why: string) => `Not copied: ${why}`,
  offline: 'Offline',
  readOnly: 'Read-only store',
  decidedNotExecuted: (n: number) => `${n} decided, not executed`,
  search: 'Search tools, arguments, conversations',
  nav: 'Places',
  effect,
  status,
  page: { history: 'History', insight: 'Insight', settings: 'Settings' } as Record<
    'queue' | 'history' | 'insight' | 'settings',
    string
  >,
  view: {
    needs_me: 'Needs me',
    decided: 'Decided',
    running: 'Running',
    unknown: 'Unknown outcome',
    unreadable: 'Unreadable',
    snoozed: 'Snoozed',
    other: 'Other',
    finished: 'Finished',
  },
  queue: {
    label: (view: string) => `Runs: ${view}`,
    count: (n: string, runs: number, view: string) => (view === 'needs_me' ? `${n} waiting` : `${n} run${s(runs)}`),
    sort: 'Order',
    order: {
      risk: 'risk, then time left',
      time_left: 'time left',
      oldest: 'oldest first',
      newest: 'latest first',
    },
    reading: (done: string, all: string | null) =>
      all === null ? `Reading the list: ${done} so far` : `Reading the list: ${done} of ${all}`,
    indexing: (done: string, all: string) => `Still reading for the search: ${done} of ${all}`,
    soon: (n: number) => `${n} expire${n === 1 ? 's' : ''} within an hour`,
    old: (n: string, runs: number) => `${n} run${s(runs)} older than a week`,
    folded: 'folded',
    unfolded: 'shown',
    sameSaid: (n: number, open: number, shown: boolean) =>
      `${n} ask the same${open < n ? `, ${open} of them open` : ''}, ${shown ? 'shown below' : 'folded into one row'}`,
    fresh: (n: number) => `${n} new`,
    freshSaid: (n: number) =>
      `${n} new run${s(n)}. The list has not moved; show ${n === 1 ? 'it' : 'them'} with the button above it.`,
    more: (n: number) => `and ${n} more`,
    unreadable: 'unreadable record',
    noCalls: 'step without calls',
    other: 'nothing in it waits for a person',
    empty: {
      needs_me: 'Nothing needs you.',
      decided: 'Nothing is decided and waiting.',
      running: 'Nothing is running.',
      unknown: 'No outcome is unknown.',
      unreadable: 'Every record can be read.',
      snoozed: 'Nothing is snoozed.',
      other: 'Every record waits for a person, runs, or is over.',
      finished: 'Nothing has finished yet.',
    },
  },
  filter: {
    title: 'Filters',
    destructive: 'Destructive',
    expiresToday: 'Expires today',
    all: 'Filters',
    some: 'Filters on',
    effect: 'Effect class',
    source: 'Source',
    tool: 'Tool',
    status: 'State',
    repeatable: 'May be made again',
    yes: 'Yes',
    no: 'No',
    age: 'Taken in',
    ages: { hour: 'Within an hour', day: 'Within a day', week: 'Within a week', older: 'Over a week ago' },
    expires: 'Expires',
    soon: { hour: 'Within an hour', day: 'Within a day' },
    fold: 'Equal calls in one row',
    saved: 'Saved views',
    saveAs: 'Save as a view, named',
    save: 'Save',
    remove: (name: string) => `Remove the view ${name}`,
    any: 'Any',
    clear: 'Clear all',
  },
  intake: {
    open: 'Open file…',
    dropHere: 'Drop records to take them in',
    noFile: 'What was dropped holds no file. Drop files from the file manager, or use “Open file…”.',
    folder: 'This is a folder. Drop the record files themselves.',
    unreadable: (why: string) => `It cannot be read: ${why}`,
    outcome: ({ outcome, name, text: why }: Taken) =>
      `${name}: ${why || { taken_in: 'Taken in.', already_known: 'Already known; nothing changed.', refused: 'Refused.' }[outcome]}`,
    /** Of several, what was refused is named with its reason; the others are in the list. */
    summary: (counts: Readonly<Record<Taken['outcome'], number>>, refused: readonly Taken[], more: number) =>
      [
        counts.taken_in > 0 && `${counts.taken_in} taken in`,
        counts.already_known > 0 && `${counts.already_known} already known`,
        counts.refused > 0 &&
          `${counts.refused} refused: ${[...refused.map(({ name, text: why }) => (why === '' ? name : `${name}, ${why.replace(/\.$/, '')}`)), ...(more > 0 ? [`and ${more} more`] : [])].join('; ')}`,
      ]
        .filter(Boolean)
        .join('; '),
  },
  empty: {
    title: 'No runs yet',
    words: 'Holdpoint shows agent runs that wait for a person, and lets a decided call fire once or not at all.',
    samples: 'Add sample runs',
    samplesMean:
      'One call, three parallel calls, a dangerous call, and an unreadable record. They work to the end without a network.',
    agentTitle: 'Point an agent here',
    agent: 'A suspended run is one file. Write it beside the inbox and rename it into:',
    inbox: (folder: string) => `${folder}/inbox/`,
    drop: 'Or drop a record file anywhere on this window.',
  },
  footer: {
    store: (runs: string, unreadable: number) =>
      `Store: ${runs} runs${unreadable > 0 ? `, ${unreadable} unreadable` : ''}`,
    gc: (gc: GcStatus, ago: string | null) =>
      !gc.enabled ? 'clean-up is off' : ago === null ? 'not swept yet' : `swept ${ago} ago, ${gc.reaped} expired`,
    undo: (seconds: number) => (seconds === 0 ? 'No undo window' : `Undo window ${seconds} s`),
    keys: (move: string, help: string, find: string) => `${move} move · ${help} keys · ${find} commands`,
    folder: (path: string) => `Data folder ${path}`,
  },
  help: {
    title: 'Keys',
    singleOff: 'Single-character keys are switched off in the settings.',
    safety: 'Keys that decide are dead for a moment after anything on screen changes, and while you type.',
    groups: { list: 'List', decide: 'Decide', read: 'Read', window: 'Window' },
    action: {
      down: 'Next run',
      up: 'Previous run',
      first: 'First run',
      last: 'Last run',
      enter: 'Open the selected run; confirm what is armed',
      next_open: 'Next undecided run',
      merge: 'Show new runs',
      mark: 'Mark the run, or take its mark away',
      mark_tool: 'Mark every run of the same tool and class',
      extend_down: 'Mark, and mark the next run too',
      extend_up: 'Mark, and mark the previous run too',
      search: 'Search',
      filters: 'Filters',
      approve: 'Approve, or let go on: arms, again confirms. Gives a result where one is asked for',
      reject: 'Reject, with a reason',
      edit: 'Edit the arguments',
      snooze: 'Later',
      submit: 'Submit the batch; confirm a reason',
      undo: 'Undo the last decision',
      previous_call: 'Previous call of the batch',
      next_call: 'Next call of the batch',
      conversation: 'Conversation',
      raw: 'Record as it came',
      diff: 'Difference, or effective text of an edit',
      back: 'One level back; takes messages away',
      palette: 'Find a command',
      help: 'This list',
    },
  },
  palette: {
    title: 'Commands',
    find: 'Find a command',
    results: 'Commands found',
    count: (n: number) => (n === 0 ? 'No command is called so.' : `${n} command${s(n)}`),
    goTo: (place: string) => `Go to ${place}`,
    dialog: 'Open a record file…',
    theme: {
      system: 'Theme: as the system',
      light: 'Theme: light',
      dark: 'Theme: dark',
      high_contrast: 'Theme: high contrast',
    },
    safety: 'A command never approves or submits by itself.',
  },
} as const;
