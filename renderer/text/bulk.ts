import { s } from './plural.js';

const past = { approve: 'approved', reject: 'rejected' } as const;

/** The words of what is decided together. */
export const bulkText = {
  bulk: {
    label: 'Marked runs',
    marked: (n: number) => (n === 0 ? 'Nothing is marked.' : `${n} run${s(n)} marked.`),
    markedRow: 'marked',
    most: (n: number) => `${n} at most can be marked.`,
    cannotMark: 'It cannot be marked: nothing in it waits for a verdict.',
    means: 'Keys that decide are about all of them now; one tool and one class at a time.',
    groups: 'Next:',
    mixed: 'several tools',
    severalTools: 'These runs have calls of several tools: decide them on their cards.',
    dangerous: 'the dangerous class is never approved together. Each takes a confirmation of its own, on its card.',
    off: 'Approve is off:',
    approve: (n: number) => `Approve ${n}…`,
    reject: (n: number) => `Reject ${n}…`,
    rejectNow: (n: number) => `Reject ${n}`,
    clear: 'Unmark all',
    why: (n: number) => `Why ${n === 1 ? 'is this run' : `are these ${n} runs`} rejected?`,
    inControl:
      'The approve control below shows each of them with its arguments. Nothing is sent before you confirm there.',
    title: {
      approving: (n: number) => `Approve ${n} run${s(n)}:`,
      rejecting: (n: number) => `Reject ${n} run${s(n)}:`,
    },
    nothing: 'Nothing was decided:',
    result: { approve: 'Approved together:', reject: 'Rejected together:' },
    leftOut: (n: number) => `${n} not in it, ${n === 1 ? 'with its reason' : 'each with its reason'}`,
    more: (units: number) => `and ${units.toLocaleString('en')} more characters`,
    taken: { approve: 'Approved.', reject: 'Rejected by a person.' },
    takeBack: 'Take this one back',
    takeAllBack: (n: number) => `Take all ${n} back`,
    tookBack: (n: number, of: number) => `${n} of ${of} taken back; undecided again.`,
    decided: (said: keyof typeof past, n: number, tool: string) => `${tool} × ${n} ${past[said]}`,
  },
} as const;
