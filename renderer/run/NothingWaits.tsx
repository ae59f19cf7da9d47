import type { RunDetail } from '../../shared/ipc.js';
import { askOf } from '../decision/open-calls.js';
import { text as words } from '../text.js';
import { Marked } from './Marked.js';
import { exportRun } from './run-actions.js';
import { StoredOutcome } from './StoredOutcome.js';

/** A record in which nothing waits for a person: what may be done with it. Nothing on this card is called approving. */
export function NothingWaits({ detail }: { detail: RunDetail }) {
  const { row, retry, storedOutcome } = detail;
  const ask = askOf(detail);
  return (
    <>
      <section
        className={ask === 'retry' ? 'verdict unknown' : 'verdict step'}
        data-testid="verdict"
        aria-label={words.verdict.label}
      >
        <h1>{words.card.step(row.step ?? 0)}</h1>
        <strong className="tag">{retry ? words.retry.title(retry.turn) : words.own.nothingWaits}</strong>
        {ask === 'retry' && retry && (
          <p data-testid="retry-refused">
            {words.own.refused} <Marked text={retry.refused} />
          </p>
        )}
        {ask === 'go_on' && <p>{words.own.goesOn[row.route]}</p>}
        {ask === null && <p>{words.own.stays}</p>}
      </section>
      {storedOutcome && <StoredOutcome outcome={storedOutcome} />}
      <div className="buttons">
        <button type="button" className="btn" data-testid="export" onClick={() => void exportRun(row.id)}>
          {words.own.export}
        </button>
        <span className="faint">{words.own.kept}</span>
      </div>
    </>
  );
}
