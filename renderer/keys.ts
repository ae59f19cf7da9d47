import type { OwnKeys } from '../shared/settings.js';
import type { text } from './text.js';

/** The one table of keys: the handler, the help overlay, the palette and the settings read it. */
export interface KeyRow {
  action: Action;
  /** As they are typed, in order; `Mod` is Ctrl, or Cmd on a Mac. */
  keys: readonly string[];
  group: keyof typeof text.help.groups;
  /** Plain characters: can be switched off and changed in the settings. */
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
  'mark',
  'mark_tool',
  'extend_down',
  'extend_up',
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
  'palette',
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
  { action: 'mark', keys: ['x'], group: 'list', single: true },
  { action: 'mark_tool', keys: ['X'], group: 'list', single: true },
  { action: 'extend_down', keys: ['J'], group: 'list', single: true },
  { action: 'extend_up', keys: ['K'], group: 'list', single: true },
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
  { action: 'palette', keys: ['Mod', 'k'], group: 'window', single: false },
  { action: 'help', keys: ['?'], group: 'window', single: true },
];

/**
 * The table with the reviewer's own keys in it. Only rows of plain characters can be changed; where two rows would then
 * answer to the same keys, none of the own ones counts: a key never does what the table does not say.
 */
export function keyTable(own: OwnKeys): readonly KeyRow[] {
  const rows = KEYS.map((row) => (row.single ? { ...row, keys: own[row.action] ?? row.keys } : row));
  return clash(rows) === null ? rows : KEYS;
}

/** Two actions of which one's keys are, or begin, the other's; null when there are none. */
export function clash(rows: readonly KeyRow[]): readonly [Action, Action] | null {
  for (const [i, a] of rows.entries())
    for (const b of rows.slice(i + 1)) {
      const [short, long] = a.keys.length <= b.keys.length ? [a.keys, b.keys] : [b.keys, a.keys];
      if (short.every((key, at) => key === long[at])) return [a.action, b.action];
    }
  return null;
}

/** Whether a key press is a plain character that may stand in the table: blanks scroll and press buttons. */
export function isPlainKey(event: KeyLike): boolean {
  return [...event.key].length === 1 && event.key.trim() !== '' && !event.ctrlKey && !event.metaKey && !event.altKey;
}

export const isMac = /Mac/.test(globalThis.navigator?.platform ?? '');

const DISPLAY: Readonly<Record<string, string>> = { Mod: isMac ? '⌘' : 'Ctrl', Escape: 'Esc' };

/** The keys of an action as they are shown, one after the other; a chord is one. */
export function keysFor(action: Action, rows: readonly KeyRow[] = KEYS): string[] {
  return shownKeys(rows.find((row) => row.action === action)?.keys ?? []);
}

export function shownKeys(keys: readonly string[]): string[] {
  const chord = keys[0] === 'Mod';
  const shown = keys.map((key) => DISPLAY[key] ?? letter(key));
  return chord ? [shown.join(isMac ? '' : '+')] : shown;
}

/** A letter as it stands on the key; a capital one is typed with Shift. */
function letter(key: string): string {
  if (!/^\p{L}$/u.test(key)) return key;
  const capital = key.toUpperCase();
  return key === capital && key !== key.toLowerCase() ? `${isMac ? '⇧' : 'Shift+'}${key}` : capital;
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
export function actionFor(
  event: KeyLike,
  prefix: string,
  singleKeys: boolean,
  table: readonly KeyRow[] = KEYS,
): Action | 'prefix' | null {
  if (event.altKey) return null;
  if (event.ctrlKey || event.metaKey) {
    if (event.shiftKey) return null;
    return table.find((row) => same(row.keys, ['Mod', event.key]))?.action ?? null;
  }
  const typed = prefix === '' ? [event.key] : [prefix, event.key];
  const rows = table.filter((row) => singleKeys || !row.single);
  const exact = rows.find((row) => same(row.keys, typed)) ?? rows.find((row) => same(row.keys, [event.key]));
  if (exact) return exact.action;
  return rows.some((row) => row.keys.length > 1 && row.keys[0] === event.key) ? 'prefix' : null;
}

const same = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((k, i) => k === b[i]);
