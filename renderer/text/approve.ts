import { s } from './plural.js';

/** The words of the approve control, which stands in an origin of its own. */
export const approveText = {
  control: {
    title: 'Approve control',
    loading: 'Reading what would be sent…',
    failed: (why: string) => `The approve control has no answer: ${why}`,
    /** Said when the control gets the keyboard. */
    label: {
      decide: (name: string) => `Confirm: send ${name}. A or Enter confirms, Escape goes back.`,
      batch: (n: number) => `Confirm: send ${n} calls. A or Enter confirms, Escape goes back.`,
      destructive: (what: string) => `Destructive. Confirm: ${what}, or go back with Escape.`,
      go_on: 'Confirm: let it go on. A or Enter confirms, Escape goes back.',
      retry_turn: (turn: number) => `Dangerous. Confirm to run turn ${turn} again, or go back with Escape.`,
      continue: 'Confirm: continue this run. A or Enter confirms, Escape goes back.',
      redispatch: (n: number) => `Confirm: send ${n} call${s(n)} again. A or Enter confirms, Escape goes back.`,
    },
    title_of: {
      decide: 'Approve',
      go_on: 'Let it go on',
      retry_turn: 'Run again',
      continue: 'Continue',
      redispatch: 'Send again',
      destructive: 'This destroys or overwrites:',
    },
    calls: (n: number) => `${n} call${s(n)}`,
    call: (n: number) => `Call ${n}`,
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
      unseen: (n: number) => `Off: ${n} call${s(n)} of the list not seen yet. Scroll down.`,
      grace: 'A moment…',
      busy: 'Being taken…',
    },
  },
} as const;
