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

  // Capture on the window: a press is judged before anything it causes.
  window.addEventListener('focus', () => step(windowFocused));
  window.addEventListener('blur', () => step(windowBlurred));
  window.addEventListener('pointerdown', () => onPress(false), { capture: true });
  window.addEventListener('keydown', (event) => onPress(event.repeat), { capture: true });

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
