import type { Submission } from '../../shared/proposal.js';
import { s } from './plural.js';

const past = { approve: 'approved', reject: 'rejected', answer: 'answered' } as const;

/** The words of the decision bar, its forms, and of a decision. */
export const decisionText = {
  bar: {
    label: 'Decision',
    step: 'the step',
    callOf: (n: number, name: string) => `call ${n}, ${name}`,
    reject: 'Reject',
    edit: 'Edit',
    editAbout: (what: string) => `the arguments of ${what}`,
    later: 'Later',
    note: 'Note',
    noteLabel: 'Note (kept, not sent)',
    approve: 'Approve',
    approveCall: (n: number) => `Approve call ${n}`,
    approveOff: 'Approve is off:',
    approveAll: 'Approve all…',
    rejectAll: 'Reject all…',
    notTaken: 'Not taken:',
    settled: 'This call is settled; it needs no verdict.',
    repair: (calls: number, answers: number) =>
      [
        ...(calls > 0
          ? [
              `${calls} earlier call${s(calls)} without an answer. When the run goes on, tell the model for each that no result was recorded:`,
            ]
          : []),
        ...(answers > 0
          ? [`${answers} answer${s(answers)} to no call. When the run goes on, leave out what no model takes:`]
          : []),
      ].join(' '),
  },
  approve: {
    off: (why: readonly string[]) => `Approve is off: ${why.join(' ')}`,
    partial: 'The arguments are not loaded to their end.',
    loading: 'The arguments are being loaded.',
    notLoaded: (why: string) => `The arguments could not be loaded: ${why}`,
    wrongDigest: 'The arguments on screen do not match their digest.',
    needsResult: 'This call is made elsewhere and waits for its result; no approval runs it.',
    notSendable: (why: string) =>
      `No tool server takes this call: ${why || 'its arguments are no object'}. Reject it, or hand the run over.`,
    badEdit: (why: string) => `The edit does not fit: ${why}`,
    needsRepair: (calls: number, answers: number) =>
      [
        ...(calls > 0 ? [`${calls} earlier call${s(calls)} without an answer`] : []),
        ...(answers > 0 ? [`${answers} answer${s(answers)} to no call`] : []),
      ]
        .join(' and ')
        .concat(': say below how to go on.'),
    sideways: 'Part of the arguments lies to the side: make the window wider.',
    notReached: (fields: readonly (string | null)[]) => {
      const named = fields
        .filter((field) => field !== null)
        .map((field) => `“${field === '' ? 'the value' : shorten(field)}”`);
      return named.length > 0 ? `Not read to the end yet: ${named.join(', ')}.` : 'Scroll to the end of the arguments.';
    },
  },
  armed: {
    label: (name: string) => `Armed: approve ${name}. A or Enter confirms, Escape cancels.`,
    destructiveLabel: (name: string) => `Destructive: confirm ${name}, or cancel with Escape.`,
    title: 'Approve',
    destructiveTitle: 'This destroys or overwrites:',
    confirm: 'Confirm approval',
    of: (name: string) => `of ${name}`,
    run: 'Yes, run',
    mark: 'Yes, mark as approved:',
    edited: '(with your edit)',
  },
  reject: {
    label: (name: string) => `Why is ${name} rejected?`,
    defaultReason: 'The reviewer rejected this call. Do not try it again without asking.',
    means: 'Goes to the agent word for word, as a person’s decision and as not executed.',
    confirm: 'Reject',
    mark: 'Mark as rejected',
    presets: 'Reasons given often',
  },
  edit: {
    title: (name: string) => `Edit the arguments of ${name}`,
    label: (name: string) => `Arguments of ${name} as JSON text`,
    means:
      'Values keep their type: 500 stays a number, "007" a string. The agent is told that it was edited. Keeping the edit decides nothing.',
    inCard: 'The arguments are being edited above.',
    fits: 'Reads as JSON, and every value keeps its type.',
    fitsConfirmed: 'Reads as JSON; every other value keeps its type.',
    types: (n: number) => (n === 1 ? 'This value changes its type:' : 'These values change their type:'),
    confirmTypes: (n: number) =>
      n === 1 ? 'Yes, it shall be of the other type' : 'Yes, they shall be of the other type',
    unchanged: 'As proposed.',
    diff: 'Proposed → effective',
    effective: 'Effective arguments',
    reset: 'Back to proposed',
    keep: 'Keep edit',
  },
  diff: {
    sign: { same: ' ', del: '−', add: '+' },
    del: 'removed:',
    add: 'added:',
    same: (n: number) => `${n} equal lines`,
    more: (n: number) => `Show more (${n} rows)`,
    mode: 'How the difference is shown',
    modes: { unified: 'Unified', side_by_side: 'Side by side', whole: 'Whole text' },
  },
  batch: {
    siblings: (n: number) => `${n} calls of this batch`,
    sibling: (n: number, name: string, said: string) => `Call ${n}, ${name}: ${said}`,
    sign: { open: '', approve: ' ✓', reject: ' ✗', answered: ' •' },
    states: (calls: readonly (readonly [number, keyof typeof past | null])[]) =>
      `Call ${calls.map(([n, said]) => `${n} ${said === null ? 'open' : past[said]}`).join(', ')}`,
    marked: (n: number, verdict: keyof typeof past) =>
      `Call ${n} marked as ${past[verdict]}. Nothing is sent before the submit.`,
    submit: (n: number) => `Submit all ${n}`,
  },
  all: {
    title: (verdict: 'approve' | 'reject', n: number) =>
      `${verdict === 'approve' ? 'Approve' : 'Reject'} ${n} call${s(n)} of this batch`,
    leftApprove: (n: number) =>
      `${n} not in the list: marked already, of another effect class, destructive, blocked, or not read to the end.`,
    leftReject: (n: number) => `${n} not in the list: marked already.`,
    means: 'Only marks them. The submit sends all verdicts as one.',
    confirm: (verdict: 'approve' | 'reject', n: number) =>
      `Mark ${n} as ${verdict === 'approve' ? 'approved' : 'rejected'}`,
  },
  name: {
    label: 'Your name, kept with each decision',
    save: 'Save name',
    means: 'Asked once; can be changed in the settings.',
  },
  submit: {
    unreadable: 'This record cannot be read, so it cannot be decided.',
    missing: (calls: readonly number[]) => `Still open: call ${calls.join(', ')}.`,
    stepOpen: 'Say what shall happen with this step.',
    cannot: (n: number, why: readonly string[]) => `Call ${n} cannot be approved now: ${why.join(' ')}`,
  },
  signed: {
    good: 'Signed by',
    wrong: 'A signature that does not fit, said to be by',
    unknown: 'A signature of an unknown key, said to be by',
    second: 'Waits for a second reviewer’s signature:',
    save: 'Save the decision…',
    saved: 'Saved. Give it to a second reviewer; drop what they signed onto this window.',
  },
  decided: {
    title: 'Decision',
    words: (submission: Submission, names: readonly string[]) => {
      const approved = submission.verdicts.filter((v) => v.verdict === 'approve').length;
      const rejected = submission.verdicts.filter((v) => v.verdict === 'reject').length;
      const answered = submission.verdicts.length - approved - rejected;
      const [only] = submission.verdicts;
      if (only && submission.verdicts.length === 1) return `${names[0] ?? 'call'} ${past[only.verdict]}`;
      if (submission.step) return submission.step.verdict === 'approve' ? 'step approved' : 'step rejected';
      return [
        approved > 0 && `${approved} approved`,
        rejected > 0 && `${rejected} rejected`,
        answered > 0 && `${answered} answered`,
      ]
        .filter(Boolean)
        .join(', ');
    },
    recorded: (words: string) => `Recorded: ${words}.`,
    by: (name: string, at: string) => `Decided by ${name}, ${at}`,
    byRule: (name: string, at: string, n: number) =>
      `Decided by ${n === 1 ? 'a rule' : 'rules'} of ${name}, ${at}. No person looked.`,
    ruled: { approve: 'Approved by a rule', reject: 'Rejected by a rule', answer: 'Answered' },
    withdrawn: (by: string, at: string) => `Taken back by ${by}, ${at}.`,
    objection: (by: string, at: string) => `${by} objects (${at}):`,
    verdict: { approve: 'Approved', reject: 'Rejected by a person', answer: 'Answered by a person' },
    step: { approve: 'Step approved', reject: 'Step rejected by a person' },
    reason: 'Reason:',
    note: 'Note:',
    unknownCall: (n: number) => `call ${n}`,
    repaired: (n: number) => `${n} earlier call${s(n)} get a synthetic answer: no result was recorded.`,
    leftOut: (n: number) => `${n} answer${s(n)} to no call ${n === 1 ? 'is' : 'are'} left out.`,
  },
  undo: {
    bar: (words: string) => `Recorded: ${words}.`,
    left: (seconds: number) => `${seconds} s`,
    undo: 'Undo',
    takeBack: 'Take the decision back',
    done: 'Taken back. It is undecided again.',
  },
  snooze: {
    label: 'Later: nothing is decided',
    choice: { hour: 'In 1 hour', four_hours: 'In 4 hours', tomorrow: 'Tomorrow, 9:00', monday: 'Next Monday, 9:00' },
    until: 'Until',
    untilThen: 'Snooze until then',
    past: 'Choose a time that is still to come.',
    wake: 'Wake it now',
    woken: 'Back in the list.',
    done: (until: string) => `Snoozed until ${until}. Nothing is decided.`,
  },
} as const;

function shorten(name: string): string {
  return name.length > 40 ? `${name.slice(0, 40)}…` : name;
}
