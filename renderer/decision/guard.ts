/**
 * The anti-slip contract: which key press or click may count as a decision. Pure; the clock comes in as milliseconds
 * of one monotonic clock. Everything that arms, confirms, rejects or submits asks `mayAct` first.
 */

/** Decision keys and clicks are dead this long after a change of focus or of what is on screen (H20). */
export const GRACE_MS = 350;

export interface Press {
  /** The press began in a dead moment, or with the window in the background: nothing it leads to counts. */
  dead: Refusal | null;
}

export interface Guard {
  /** Names exactly what is on screen: item, revision, digest, call, effective arguments, dialog. Null: nothing. */
  shown: string | null;
  /** When `shown` last changed or the window got focus. */
  shownSince: number;
  /** When the card or a dialog last got the keyboard focus. */
  focusSince: number;
  windowActive: boolean;
  /** The pointer or key press that is going on, or went on last. */
  press: Press | null;
}

export type Refusal =
  | 'grace'
  | 'nothing_shown'
  | 'not_on_screen'
  | 'window_inactive'
  | 'key_repeat'
  | 'composing'
  | 'text_field'
  | 'menu'
  | 'control'
  | 'list_row'
  | 'double_click';

/**
 * Who has the keyboard. `control` is a button or link, which takes Enter itself; `confirm_text` is a text field whose
 * own confirming chord (Ctrl/Cmd+Enter) was pressed.
 */
export type Keyboard = 'page' | 'list' | 'control' | 'text' | 'menu' | 'confirm_text';

export type Attempt =
  | { by: 'key'; key: string; repeat: boolean; composing: boolean; keyboard: Keyboard; madeFor: string }
  | { by: 'click'; clicks: number; madeFor: string };

export const initialGuard: Guard = {
  shown: null,
  shownSince: Number.NEGATIVE_INFINITY,
  focusSince: Number.NEGATIVE_INFINITY,
  // Nobody has said yet that the window has the focus.
  windowActive: false,
  press: null,
};

/** Something else is on screen now; the same content again changes nothing. */
export function show(guard: Guard, shown: string | null, now: number): Guard {
  return shown === guard.shown ? guard : { ...guard, shown, shownSince: now };
}

/** The card or a dialog got the keyboard focus. */
export function focusEntered(guard: Guard, now: number): Guard {
  return { ...guard, focusSince: now };
}

export function windowFocused(guard: Guard, now: number): Guard {
  return { ...guard, windowActive: true, shownSince: now };
}

export function windowBlurred(guard: Guard): Guard {
  return { ...guard, windowActive: false };
}

/**
 * A pointer button or a key goes down. Whether it is live is settled here, before the press itself moves the focus:
 * the click that raises the window stays a raising click however long the button is held.
 */
export function pressed(guard: Guard, now: number, repeat = false): Guard {
  return { ...guard, press: { dead: repeat ? 'key_repeat' : moment(guard, now) } };
}

/** Milliseconds until the guard lets decisions through again; 0 when it does. */
export function graceLeft(guard: Guard, now: number): number {
  return Math.max(0, GRACE_MS - (now - Math.max(guard.shownSince, guard.focusSince)));
}

function moment(guard: Guard, now: number): Refusal | null {
  if (!guard.windowActive) return 'window_inactive';
  if (guard.shown === null) return 'nothing_shown';
  return graceLeft(guard, now) > 0 ? 'grace' : null;
}

/** Why this key or click does not count, or null when it may act on `madeFor`. */
export function mayAct(guard: Guard, attempt: Attempt, now: number): Refusal | null {
  if (guard.shown === null) return 'nothing_shown';
  if (attempt.madeFor !== guard.shown) return 'not_on_screen';
  return attempt.by === 'key' ? mayKey(guard, attempt, now) : mayClick(guard, attempt, now);
}

function mayKey(guard: Guard, attempt: Attempt & { by: 'key' }, now: number): Refusal | null {
  if (attempt.repeat) return 'key_repeat';
  if (attempt.composing) return 'composing';
  if (attempt.keyboard === 'text') return 'text_field';
  if (attempt.keyboard === 'menu') return 'menu';
  if (attempt.keyboard === 'list' && attempt.key === 'Enter') return 'list_row';
  if (attempt.keyboard === 'control' && attempt.key === 'Enter') return 'control';
  return moment(guard, now);
}

function mayClick(guard: Guard, attempt: Attempt & { by: 'click' }, now: number): Refusal | null {
  // The second click of a double click never follows up on the first one.
  if (attempt.clicks > 1) return 'double_click';
  if (guard.press?.dead) return guard.press.dead;
  if (!guard.windowActive) return 'window_inactive';
  // The press itself may have moved the focus into the card, so only a change of content counts since then.
  if (now - guard.shownSince < GRACE_MS) return 'grace';
  return guard.press === null ? moment(guard, now) : null;
}
