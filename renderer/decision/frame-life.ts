import { useCallback, useEffect, useRef, useState } from 'react';

/** The control says that it is there several times in this; when it says nothing, its process is gone. Milliseconds. */
const SILENCE_MS = 2_500;
/** A machine that is busy is given more time at each further try. */
const LONGEST_MS = 20_000;

/**
 * The approve control is a process of its own, and may die. While something is proposed it must be heard; when it falls
 * silent its frame is made anew, and the new process asks main by itself what is proposed. `life` names the frame;
 * `revived` is called when a new one is heard for the first time.
 */
export function useFrameLife(proposed: boolean, revived: () => void): { life: number; heard: () => void } {
  const [life, setLife] = useState(0);
  const last = useRef(0);
  const patience = useRef(SILENCE_MS);
  const isNew = useRef(false);
  const heard = useCallback((): void => {
    last.current = performance.now();
    patience.current = SILENCE_MS;
    if (isNew.current) revived();
    isNew.current = false;
  }, [revived]);
  useEffect(() => {
    if (!proposed) return;
    last.current = performance.now();
    const timer = setInterval(() => {
      // A window that nobody sees draws nothing, and its frames may sleep.
      if (document.visibilityState !== 'visible') last.current = performance.now();
      if (performance.now() - last.current < patience.current) return;
      last.current = performance.now();
      patience.current = Math.min(patience.current * 2, LONGEST_MS);
      isNew.current = true;
      setLife((before) => before + 1);
    }, 250);
    return () => clearInterval(timer);
  }, [proposed]);
  return { life, heard };
}
