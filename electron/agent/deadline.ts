/** One bounded wait: the caller's own signal and a time limit, with the reason kept apart. */
interface Deadline {
  signal: AbortSignal;
  /** Why the signal was raised; null while it was not. */
  cause(): 'timeout' | 'cancelled' | null;
  /** Lets go of the timer and of the outer signal. Must be called in every case. */
  release(): void;
}

/** `milliseconds` up to 2^31-1. The outer signal, when already raised, raises this one at once. */
export function startDeadline(outer: AbortSignal | null, milliseconds: number): Deadline {
  const controller = new AbortController();
  let cause: 'timeout' | 'cancelled' | null = null;
  const raise = (why: 'timeout' | 'cancelled'): void => {
    if (cause !== null) return;
    cause = why;
    controller.abort(new Error(why));
  };
  const cancel = (): void => raise('cancelled');
  const timer = setTimeout(() => raise('timeout'), milliseconds);
  outer?.addEventListener('abort', cancel, { once: true });
  if (outer?.aborted) cancel();
  return {
    signal: controller.signal,
    cause: () => cause,
    release: () => {
      clearTimeout(timer);
      outer?.removeEventListener('abort', cancel);
    },
  };
}
