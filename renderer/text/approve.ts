import { s } from './plural.js';

/** The words of the approve control, which stands in an origin of its own. */
export const approveText = {
  control: {
    title: 'Approve control',
    loading: 'Reading what would be sent…',
    failed: (why: string) => `The approve control has no answer: ${why}`,
    /** Said when the control gets the keyboard. */
    label: {
      decide: (name: string, keys: string) => `Confirm: send ${name}. ${keys} confirms, Escape goes back.`,
      batch: (n: number, keys: string) => `Confirm: send ${n} calls. ${keys} confirms, Escape goes back.`,
      many: (n: number, tool: string, keys: string) =>
        `Confirm: send ${tool} for ${n} run${s(n)}. ${keys} confirms, Escape goes back. Page Down shows the next ones.`,
      destructive: (what: string) => `Destructive. Confirm: ${what}, or go back with Escape.`,
      go_on: (keys: string) => `Confirm: let it go on. ${keys} confirms, Escape goes back.`,
      retry_turn: (turn: number) => `Dangerous. Confirm to run turn ${turn} again, or go back with Escape.`,
      continue: (keys: string) => `Confirm: continue this run. ${keys} confirms, Escape goes back.`,
      redispatch: (n: number, keys: string) =>
        `Confirm: send ${n} call${s(n)} again. ${keys} confirms, Escape goes back.`,
    },
    keys: (key: string | null) => (key === null ? 'Enter' : `${key} or Enter`),
    title_of: {
      decide_many: (n: number) => `Approve ${n} run${s(n)}:`,
      decide: 'Approve',
      go_on: 'Let it go on',
      retry_turn: 'Run again',
      continue: 'Continue',
      redispatch: 'Send again',
      destructive: 'This destroys or overwrites:',
    },
    calls: (n: number) => `${n} call${s(n)}`,
    call: (n: number) => `Call ${n}`,
    runs: (n: number) => `${n} run${s(n)}`,
    nth: (n: number) => `${n}.`,
    leftOut: (n: number) => `${n} dropped out; they are not approved.`,
    eachOf: 'Each of them:',
    notInIt: 'Not in it:',
    masked: (n: number) => `${n} secret${s(n)} masked here; what is sent is not masked.`,
    step: (n: number) => `step ${n}`,
    route: { here: 'sent from here', handed_over: 'handed to its own agent' },
    goesOn: { here: 'Its model is asked for the next step.', handed_over: 'Its own agent goes on with it.' },
    nothingSent: 'No call is sent; the model is asked to go on.',
    others: { reject: 'rejected', answer: 'answered' },
    edited: 'with your edit',
    typesChanged: 'of another type:',
    digest: (hex: string) => `sha256 ${hex.slice(0, 12)}`,
    long: (units: string) => `${units} characters; read them on the card.`,
    confirm: {
      decide: 'Confirm approval',
      batch: (n: number) => `Confirm ${n} call${s(n)}`,
      many: (n: number) => `Confirm ${n} run${s(n)}`,
      destructive: 'Yes, run',
      go_on: 'Yes, let it go on',
      retry_turn: (turn: number) => `Yes, run turn ${turn} again`,
      continue: 'Yes, continue',
      redispatch: (n: number) => `Yes, send ${n} call${s(n)} again`,
    },
    back: 'Back',
    off: {
      hidden: 'Off: it is covered, cut off or shrunk.',
      focus: 'Off: it does not have the keyboard.',
      digest: 'Off: the arguments are not those whose digest is on screen.',
      unread: (names: readonly string[]) => `Off: not read to the end yet: ${names.join(', ')}.`,
      wholeUnread: (n: number) => `the arguments of call ${n}`,
      unseen: (n: number, many: boolean) =>
        `Off: ${n} ${many ? 'line' : 'call'}${s(n)} of the list not seen yet. Scroll down.`,
      grace: 'A moment…',
      busy: 'Being taken…',
    },
  },
} as const;
