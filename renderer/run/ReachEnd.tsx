import { useEffect, useRef } from 'react';
import { liesToTheSide, onLayout } from './sideways.js';

/**
 * A mark at the end of something that must be read: tells when it has been on screen. Fails closed: where the page
 * cannot tell, or part of the text is out of view sideways, nothing counts as reached.
 */
export function ReachEnd({ onReached }: { onReached: () => void }) {
  const mark = useRef<HTMLSpanElement>(null);
  const told = useRef(onReached);
  told.current = onReached;
  useEffect(() => {
    const end = mark.current;
    if (!end || typeof IntersectionObserver === 'undefined') return;
    let seen = false;
    const look = (): void => {
      if (seen && !liesToTheSide(end)) told.current();
    };
    const observer = new IntersectionObserver((entries) => {
      seen = entries.some((entry) => entry.isIntersecting);
      look();
    });
    observer.observe(end);
    const stop = onLayout(end, look);
    return () => {
      observer.disconnect();
      stop();
    };
  }, []);
  return <span ref={mark} className="reach-end" aria-hidden="true" />;
}
