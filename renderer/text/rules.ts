import { s } from './plural.js';

/** The words of rules that answer in a person's stead. */
export const rulesText = {
  title: 'Rules',
  hint: 'A rule answers calls of one exact tool with no person looking. It begins in shadow, ends by itself, never answers what is destructive or warned of, and never beats a rule that rejects. Make one from a call: “Always when…” on its card.',
  none: 'No rules yet.',
  paused: 'All rules are paused: nothing is decided without a person.',
  pause: 'Pause all rules',
  goOn: 'Let the rules go on…',
  standing: {
    shadow: 'In shadow: it decides nothing',
    live: 'Live: it decides',
    off: 'Over',
    expired: 'Expired',
    used_up: 'Used up',
  },
  verdict: { approve: 'Approves', reject: 'Rejects' },
  server: (name: string) => `on the tool server ${name}`,
  noServer: 'without a known tool server',
  from: (source: string) => `from ${source}`,
  when: 'when',
  whole: 'all arguments',
  others: 'Other arguments may be there, whatever they are.',
  noOthers: 'No other argument is there.',
  is: 'is',
  oneOf: 'is one of',
  begins: 'begins with',
  between: (min: string | null, max: string | null) =>
    min === null
      ? `is a number up to ${max}`
      : max === null
        ? `is a number from ${min}`
        : `is a number from ${min} to ${max}`,
  reason: 'The agent is told:',
  facts: (owner: string, used: number, limit: number, until: string) =>
    `In the name of ${owner}. ${used} of ${limit} answered. Until ${until}.`,
  /** What people decided where the rule speaks. */
  figures: (verdict: 'approve' | 'reject', approved: number, edited: number, rejected: number) => {
    const all = approved + edited + rejected;
    if (all === 0) return 'People have decided no call of this kind yet.';
    const would = verdict === 'approve' ? 'Would have approved' : 'Would have rejected';
    const said = [
      approved > 0 && `approved ${approved}`,
      edited > 0 && `edited ${edited}`,
      rejected > 0 && `rejected ${rejected}`,
    ].filter(Boolean);
    return `${would} ${all} call${s(all)}; people ${said.join(', ')} of them.`;
  },
  wrong: (n: number) => `${n} of them it would have got wrong.`,
  live: 'Let it decide…',
  shadow: 'Back to shadow',
  off: 'End it',
  /** Said after the words of a button, not shown. */
  which: (name: string) => `(the rule ${name})`,
  declined: 'Nothing was changed.',
  make: {
    term: 'Rule',
    open: 'Always when…',
    command: 'Make a rule for calls like this one',
    about: (name: string) => `make a rule for calls like this one of ${name}`,
    title: (name: string) => `Always when ${name} is called like this`,
    means:
      'All conditions must hold, to the letter. The rule is shown whole by the system before it is made; then it counts in shadow what it would have said, until you let it decide in the settings.',
    name: 'Name',
    verdict: 'Then',
    approve: 'approve',
    reject: 'reject',
    reason: 'Reason for the agent',
    conditions: 'Conditions',
    pointer: 'Argument (JSON pointer)',
    test: 'Condition',
    tests: {
      equals: 'is',
      one_of: 'is one of',
      range: 'is a number from … to …',
      prefix: 'is a text that begins with',
    },
    value: 'Value, as JSON',
    values: 'Values, as JSON',
    valuesHint: 'One a line.',
    min: 'From',
    max: 'To',
    prefix: 'Beginning',
    add: 'Add a condition',
    others: 'Other arguments may be there, whatever they are',
    notNamed: (names: string) => `No condition names: ${names}.`,
    days: 'Ends after (days, 90 at most)',
    limit: 'Answers at most (calls)',
    submit: 'Make the rule…',
    making: 'The system is asking you…',
    made: (name: string) => `The rule ${name} is made, in shadow.`,
  },
  status: (live: number, paused: boolean) =>
    paused ? 'rules paused' : `${live} rule${s(live)} decide${live === 1 ? 's' : ''}`,
} as const;
