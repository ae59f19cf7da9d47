import type { RunRow } from '../../shared/run-row.js';
import { text as words } from '../text.js';

/** Tool names of a row, the same name once with its count, at most three of them. */
export function toolWords(row: RunRow): { names: string; more: number } {
  if (row.status === 'unreadable' && row.tools.length === 0) return { names: words.queue.unreadable, more: 0 };
  if (row.calls === 0) return { names: words.queue.noCalls, more: 0 };
  const counts = new Map<string, number>();
  for (const tool of row.tools) counts.set(tool, (counts.get(tool) ?? 0) + 1);
  const all = [...counts].map(([tool, times]) => (times > 1 ? `${tool} ×${times}` : tool));
  const named = [...counts.values()].slice(0, 3).reduce((sum, times) => sum + times, 0);
  return { names: all.slice(0, 3).join(', '), more: Math.max(0, row.calls - named) };
}
