import type { HistoryEvent } from '../../shared/ipc.js';

/** Every word must occur in what the line shows, or in the run's full name. */
export function matchesEvent(event: HistoryEvent, search: string): boolean {
  const words = search.toLowerCase().split(/\s+/u).filter(Boolean);
  const { suspension } = event;
  const fields = [event.kind, event.by ?? '', event.text, event.at, suspension?.runId ?? '', suspension?.source ?? ''];
  const haystack = fields.join('\n').toLowerCase();
  return words.every((word) => haystack.includes(word));
}
