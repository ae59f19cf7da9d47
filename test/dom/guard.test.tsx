import { describe, expect, it } from 'vitest';
import {
  type Attempt,
  focusEntered,
  GRACE_MS,
  type Guard,
  graceLeft,
  initialGuard,
  mayAct,
  pressed,
  show,
  windowBlurred,
  windowFocused,
} from '../../renderer/decision/guard.js';

const key = (change: Partial<Attempt & { by: 'key' }> = {}): Attempt => ({
  by: 'key',
  key: 'a',
  repeat: false,
  composing: false,
  keyboard: 'page',
  madeFor: 'card',
  ...change,
});
const click = (change: Partial<Attempt & { by: 'click' }> = {}): Attempt => ({
  by: 'click',
  clicks: 1,
  madeFor: 'card',
  ...change,
});
/** Shown at 1000, nothing since. */
const guard: Guard = show(windowFocused(initialGuard, 0), 'card', 1000);
const later = 1000 + GRACE_MS;

describe('anti-slip contract', () => {
  it('H20: the grace time is 350 ms', () => {
    expect(GRACE_MS).toBe(350);
  });

  it('a key counts when the same content has been on screen for the grace time, not before', () => {
    expect(mayAct(guard, key(), later - 1)).toBe('grace');
    expect(mayAct(guard, key(), later)).toBeNull();
    expect(graceLeft(guard, later - 1)).toBe(1);
  });

  it('the same content shown again does not start the time anew; another content does', () => {
    expect(show(guard, 'card', 5000)).toBe(guard);
    const changed = show(guard, 'card at revision 2', 5000);
    expect(mayAct(changed, key({ madeFor: 'card at revision 2' }), 5000 + GRACE_MS - 1)).toBe('grace');
  });

  it('keys are dead after the card or a dialog got the focus', () => {
    expect(mayAct(focusEntered(guard, 5000), key(), 5000 + GRACE_MS - 1)).toBe('grace');
    expect(mayAct(focusEntered(guard, 5000), key(), 5000 + GRACE_MS)).toBeNull();
  });

  it('keys are dead after the window got the focus, and while it has none', () => {
    expect(mayAct(windowBlurred(guard), key(), 5000)).toBe('window_inactive');
    const back = windowFocused(windowBlurred(guard), 5000);
    expect(mayAct(back, key(), 5000 + GRACE_MS - 1)).toBe('grace');
    expect(mayAct(back, key(), 5000 + GRACE_MS)).toBeNull();
  });

  it('keys are dead until somebody says that the window has the focus', () => {
    expect(mayAct(show(initialGuard, 'card', 1000), key(), later)).toBe('window_inactive');
  });

  it('keys are dead while a text field, a menu or an input method has the keyboard', () => {
    expect(mayAct(guard, key({ keyboard: 'text' }), later)).toBe('text_field');
    expect(mayAct(guard, key({ keyboard: 'menu' }), later)).toBe('menu');
    expect(mayAct(guard, key({ composing: true }), later)).toBe('composing');
  });

  it('the confirming chord of a text field counts, unless it composes, repeats or comes too early', () => {
    const chord = (change: Partial<Attempt & { by: 'key' }> = {}): Attempt =>
      key({ key: 'Enter', keyboard: 'confirm_text', ...change });
    expect(mayAct(guard, chord(), later)).toBeNull();
    expect(mayAct(guard, chord({ composing: true }), later)).toBe('composing');
    expect(mayAct(guard, chord({ repeat: true }), later)).toBe('key_repeat');
    expect(mayAct(guard, chord(), later - 1)).toBe('grace');
  });

  it('key repeat is ignored, and so is what a repeated key presses', () => {
    expect(mayAct(guard, key({ repeat: true }), later)).toBe('key_repeat');
    expect(mayAct(pressed(guard, later, true), click(), later + 5)).toBe('key_repeat');
  });

  it('Enter never approves from a list row, nor in the place of a button that has the focus', () => {
    expect(mayAct(guard, key({ key: 'Enter', keyboard: 'list' }), later)).toBe('list_row');
    expect(mayAct(guard, key({ key: 'Enter', keyboard: 'control' }), later)).toBe('control');
    expect(mayAct(guard, key({ key: 'Enter' }), later)).toBeNull();
  });

  it('a click that raises the window is only that, however long the button is held', () => {
    const raised = pressed(windowFocused(windowBlurred(guard), 5000), 5001);
    expect(mayAct(raised, click(), 9000)).toBe('grace');
    const without = pressed(windowBlurred(guard), 5000);
    expect(mayAct(windowFocused(without, 5001), click(), 9000)).toBe('window_inactive');
  });

  it('a click may itself bring the focus into the card', () => {
    const afterPress = focusEntered(pressed(guard, 5000), 5001);
    expect(mayAct(afterPress, click(), 5080)).toBeNull();
  });

  it('a click is dead when the content changed between press and release', () => {
    const changed = show(pressed(guard, 5000), 'other', 5040);
    expect(mayAct(changed, click({ madeFor: 'other' }), 5080)).toBe('grace');
  });

  it('the second click of a double click does not follow up on the first', () => {
    expect(mayAct(pressed(guard, later), click({ clicks: 2 }), later + 90)).toBe('double_click');
  });

  it('a click without a press of its own is judged at its own moment', () => {
    expect(mayAct(guard, click(), later - 1)).toBe('grace');
    expect(mayAct(guard, click(), later)).toBeNull();
  });

  it('a decision names what it was made for, and is refused when that is not on screen', () => {
    expect(mayAct(guard, key({ madeFor: 'another card' }), later)).toBe('not_on_screen');
    expect(mayAct(guard, click({ madeFor: 'another card' }), later)).toBe('not_on_screen');
    expect(mayAct(initialGuard, key(), later)).toBe('nothing_shown');
  });
});
