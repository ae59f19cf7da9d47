import type { RunDetail } from '../../shared/ipc.js';
import { useQueue } from '../queue/queue-store.js';
import { text as words } from '../text.js';

/** The way between the cards of one run: the record that this one continues, and what came of it. */
export function RunLinks({ detail: { continues, continuedAs } }: { detail: RunDetail }) {
  const select = useQueue((s) => s.select);
  if (continues === undefined && continuedAs === undefined) return null;
  return (
    <div className="run-links" data-testid="run-links">
      {continues !== undefined && (
        <p>
          {words.own.continues}{' '}
          <button type="button" className="link" onClick={() => select(continues)}>
            {words.own.goBack}
          </button>
        </p>
      )}
      {continuedAs !== undefined && (
        <p>
          {words.own.continuedAs}{' '}
          <button type="button" className="link" onClick={() => select(continuedAs)}>
            {words.own.goOn}
          </button>
        </p>
      )}
    </div>
  );
}
