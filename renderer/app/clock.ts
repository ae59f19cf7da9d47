import { useEffect, useState } from 'react';

/** Wall-clock milliseconds, renewed every `everyMs`: for ages and time left, never for a decision. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
