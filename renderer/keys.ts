import type { text } from './text.js';

/** The one table of keys: the handler and the help overlay both read it. */
export interface KeyRow {
  action: Action;
  /** As they are typed, in order; `Mod` is Ctrl, or Cmd on a Mac. */
  keys: readonly string[];
  group: keyof typeof text.help.groups;
  /** A plain character: can be switched off in the settings. */
  single: boolean;
}

export const ACTIONS = [
  'down',
  'up',
  'first',
  'last',
  'enter',
  'next_open',
  'merge',
  'search',
  'filters',
  'approve',
  'reject',
  'edit',
  'snooze',
  'submit',
  'undo',
  'previous_call',
  'next_call',
  'conversation',
  'raw',
  'diff',
  'back',
  'help',
] as const;
export type Action = (typeof ACTIONS)[number];

export const KEYS: readonly KeyRow[] = [
  { action: 'down', keys: ['j'], group: 'list', single: true },
  { action: 'up', keys: ['k'], group: 'list', single: true },
  { action: 'first', keys: ['g', 'g'], group: 'list', single: true },
  { action: 'last', keys: ['G'], group: 'list', single: true },
  { action: 'enter', keys: ['Enter'], group: 'list', single: false },
  { action: 'next_open', keys: ['n'], group: 'list', single: true },
  { action: 'merge', keys: ['.'], group: 'list', single: true },
  { action: 'search', keys: ['/'], group: 'list', single: true },
  { action: 'filters', keys: ['f'], group: 'list', single: true },
  { action: 'approve', keys: ['a'], group: 'decide', single: true },
  { action: 'reject', keys: ['r'], group: 'decide', single: true },
  { action: 'edit', keys: ['e'], group: 'decide', single: true },
  { action: 'snooze', keys: ['s'], group: 'decide', single: true },
  { action: 'submit', keys: ['Mod', 'Enter'], group: 'decide', single: false },
  { action: 'undo', keys: ['u'], group: 'decide', single: true },
  { action: 'previous_call', keys: ['['], group: 'read', single: true },
  { action: 'next_call', keys: [']'], group: 'read', single: true },
  { action: 'conversation', keys: ['t'], group: 'read', single: true },
  { action: 'raw', keys: ['i'], group: 'read', single: true },
  { action: 'diff', keys: ['d'], group: 'read', single: true },
  { action: 'back', keys: ['Escape'], group: 'window', single: false },
  { action: 'help', keys: ['?'], group: 'window', single: true },
];

export const isMac = /Mac/.test(globalThis.navigator?.platform ?? '');

const DISPLAY: Readonly<Record<string, string>> = { Mod: isMac ? '⌘' : 'Ctrl', Escape: 'Esc' };

/** The keys of an action as they are shown, one after the other; a chord is one. */
export function keysFor(action: Action): string[] {
  const row = KEYS.find((r) => r.action === action);
  const shown = (row?.keys ?? []).map((key) => DISPLAY[key] ?? (/^[a-z]$/.test(key) ? key.toUpperCase() : key));
  return row?.keys[0] === 'Mod' ? [shown.join(isMac ? '' : '+')] : shown;
}

export interface KeyLike {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
}

/** Ctrl+Enter, or Cmd+Enter. */
export function isConfirmChord(event: KeyLike): boolean {
  return event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
}

/** What a key press means; `prefix` when it only begins a sequence. Other modifiers belong to the system. */
export function actionFor(event: KeyLike, prefix: string, singleKeys: boolean): Action | 'prefix' | null {
  if (isConfirmChord(event)) return 'submit';
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  const typed = prefix === '' ? [event.key] : [prefix, event.key];
  const rows = KEYS.filter((row) => singleKeys || !row.single);
  const exact = rows.find((row) => same(row.keys, typed)) ?? rows.find((row) => same(row.keys, [event.key]));
  if (exact) return exact.action;
  return rows.some((row) => row.keys.length > 1 && row.keys[0] === event.key) ? 'prefix' : null;
}

const same = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((k, i) => k === b[i]);
