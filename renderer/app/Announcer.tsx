import { said } from '../run/said.js';
import { useAnnouncement } from './focus.js';

/** What changed without being looked at, for a screen reader. */
export function Announcer() {
  const { words: spoken, times } = useAnnouncement();
  const words = said(spoken);
  return (
    <div className="visually-hidden" role="status" aria-live="polite" data-testid="announcer">
      {/* Alternating elements: the same words twice are two messages. */}
      {times % 2 === 0 ? <span>{words}</span> : <p>{words}</p>}
    </div>
  );
}
