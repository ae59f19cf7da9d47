import { useEffect, useRef } from 'react';

/**
 * A mark at the end of something that must be read: tells when it has been on screen. Fails closed: where the page
 * cannot tell, nothing counts as reached.
 */
export function ReachEnd({ onReached }: { onReached: () => void }) {
  const mark = useRef<HTMLSpanElement>(null);
  const told = useRef(onReached);
  told.current = onReached;
  useEffect(() => {
    if (!mark.current || typeof IntersectionObserver === 'undefined') return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) told.current();
    });
    observer.observe(mark.current);
    return () => observer.disconnect();
  }, []);
  return <span ref={mark} className="reach-end" aria-hidden="true" />;
}
