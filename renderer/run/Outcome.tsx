import { useState } from 'react';
import type { RunDetail } from '../../shared/ipc.js';
import { ageOf, when } from '../app/format.js';
import { undo } from '../decision/send.js';
import { text as words } from '../text.js';
import { JournalView } from './JournalView.js';
import { Marked } from './Marked.js';
import { ResultText } from './ResultText.js';
import { cancelRun, continueRun, objectTo, releaseRun } from './run-actions.js';
import { StoredOutcome } from './StoredOutcome.js';

/** What became of a run after its decision, or instead of one; with what may be done about it now. */
export function Outcome({ detail, now }: { detail: RunDetail; now: number }) {
  const { row, waiting, journal, finalAnswer, running } = detail;
  return (
    <section className={`outcome ${row.status}`} aria-label={words.outcome.title}>
      <header>
        <strong className="status-word">{statusWord(detail)}</strong>
        <span className="buttons">
          <Actions detail={detail} />
        </span>
      </header>
      {row.note !== '' && (
        <p>
          <Marked text={row.note} />
        </p>
      )}
      {waiting !== null && (
        <p className="waiting-note" data-testid="waiting-note" role="status">
          {detail.latch === null && <strong>{words.outcome.recorded} </strong>}
          <Marked text={waiting.text} />{' '}
          <span className="faint" title={when(waiting.since)}>
            {words.outcome.since(ageOf(waiting.since, now) ?? '')}
          </span>
        </p>
      )}
      {running && <p role="status">{words.outcome.running}</p>}
      {journal !== null && <JournalView itemId={detail.row.id} journal={journal} />}
      {detail.storedOutcome && <StoredOutcome outcome={detail.storedOutcome} />}
      {finalAnswer !== null && !detail.storedOutcome && (
        <section className="final" data-testid="final-answer" aria-label={words.outcome.answer}>
          <h2>{words.outcome.answer}</h2>
          <ResultText text={finalAnswer} />
        </section>
      )}
    </section>
  );
}

/** That its calls are settled is said only where each of them is. */
function statusWord({ row, journal }: RunDetail): string {
  const open = journal?.calls.some((call) => ['not_started', 'started', 'unknown'].includes(call.state)) ?? true;
  return row.status === 'not_continued' && !open ? words.outcome.settled : words.outcome.status[row.status];
}

function Actions({ detail }: { detail: RunDetail }) {
  const { row, running, latch, journal } = detail;
  const [objecting, setObjecting] = useState(false);
  const here = latch === null ? row.route === 'here' : latch.kind === 'here';
  const goesOn = row.status === 'decided' || row.status === 'resuming' || row.status === 'not_continued';
  const untouched =
    journal === null || journal.calls.every((call) => ['not_started', 'rejected', 'answered'].includes(call.state));
  return (
    <>
      {goesOn && here && !running && (
        <button type="button" className="btn" onClick={() => void continueRun(row.id)}>
          {words.outcome.continue}
        </button>
      )}
      {running && (
        <button type="button" className="btn" onClick={() => void cancelRun(row.id)}>
          {words.outcome.cancel}
        </button>
      )}
      {row.status === 'handed_over' && untouched && (
        <button type="button" className="btn" onClick={() => void releaseRun(row.id)}>
          {words.outcome.release}
        </button>
      )}
      {row.status === 'decided' && latch === null && (
        <>
          <button type="button" className="btn" onClick={() => void undo([row.id])}>
            {words.undo.takeBack}
          </button>
          <button type="button" className="btn" aria-expanded={objecting} onClick={() => setObjecting(!objecting)}>
            {words.outcome.object}
          </button>
        </>
      )}
      {objecting && <Objection itemId={row.id} onDone={() => setObjecting(false)} />}
    </>
  );
}

function Objection({ itemId, onDone }: { itemId: string; onDone: () => void }) {
  const [said, setSaid] = useState('');
  return (
    <form
      className="inline-form"
      onSubmit={(event) => {
        event.preventDefault();
        void objectTo(itemId, said).then((taken) => taken && onDone());
      }}
    >
      <label>
        {words.outcome.objectWhy}
        <input value={said} onChange={(event) => setSaid(event.target.value)} required />
      </label>
      <button type="submit" className="btn">
        {words.outcome.objectSend}
      </button>
    </form>
  );
}
