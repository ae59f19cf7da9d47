import { create } from 'zustand';
import {
  type Attempt,
  focusEntered,
  type Guard,
  graceLeft,
  initialGuard,
  mayAct,
  pressed,
  type Refusal,
  show,
  windowBlurred,
  windowFocused,
} from './guard.js';

interface GuardState {
  guard: Guard;
  /** For the eye and for tests only; every act asks the guard itself. */
  ready: boolean;
  show(shown: string | null): void;
  focusEntered(): void;
  /** Why the attempt does not count, or null. */
  refuses(attempt: Attempt): Refusal | null;
}

/** Pause between two looks at the focus, at the start. */
const ASK_MS = 100;

let timer: ReturnType<typeof setTimeout> | undefined;

export const useGuard = create<GuardState>()((set, get) => {
  function step(change: (guard: Guard, now: number) => Guard): void {
    const now = performance.now();
    const guard = change(get().guard, now);
    if (guard === get().guard) return;
    const left = graceLeft(guard, now);
    const able = guard.windowActive && guard.shown !== null;
    set({ guard, ready: able && left === 0 });
    clearTimeout(timer);
    if (able && left > 0) timer = setTimeout(() => set({ ready: true }), Math.ceil(left));
  }
  const onPress = (repeat: boolean) => step((guard, now) => pressed(guard, now, repeat));
  /** A key that a person typed came here, so the window has the focus; this press itself comes too early. */
  const onKey = ({ isTrusted, repeat }: KeyboardEvent): void => {
    if (!told && isTrusted) onFocus(windowFocused)();
    onPress(repeat);
  };

  /** An event has said whether the window has the focus. */
  let told = false;
  const onFocus = (change: typeof windowFocused) => () => {
    told = true;
    step(change);
  };
  // Capture on the window: a press is judged before anything it causes.
  window.addEventListener('focus', onFocus(windowFocused));
  window.addEventListener('blur', onFocus(windowBlurred));
  window.addEventListener('pointerdown', () => onPress(false), { capture: true });
  window.addEventListener('keydown', onKey, { capture: true });

  // It may have got the focus before anybody listened: asked until it has it, or an event tells.
  const ask = (): void => {
    if (told) return;
    if (document.hasFocus()) onFocus(windowFocused)();
    else setTimeout(ask, ASK_MS);
  };
  setTimeout(ask, 0);

  return {
    guard: initialGuard,
    ready: false,
    show: (shown) => step((guard, now) => show(guard, shown, now)),
    focusEntered: () => step(focusEntered),
    refuses: (attempt) => mayAct(get().guard, attempt, performance.now()),
  };
});

/** The click of a pointer or of a key on a focused button. */
export function clickOf(event: { detail: number }, madeFor: string): Attempt {
  return { by: 'click', clicks: event.detail, madeFor };
}
