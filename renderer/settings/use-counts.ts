import { useEffect, useState } from 'react';
import type { ToolCount } from '../../shared/tool-import.js';
import { call as ask } from '../bridge.js';

/** What was decided on each tool in the last so many days; null until it is known. */
export function useCounts(days: number): readonly ToolCount[] | null {
  const [counts, setCounts] = useState<readonly ToolCount[] | null>(null);
  useEffect(() => {
    let current = true;
    setCounts(null);
    void ask('tools:counts', days).then((reply) => current && reply.ok && setCounts(reply.value));
    return () => {
      current = false;
    };
  }, [days]);
  return counts;
}
