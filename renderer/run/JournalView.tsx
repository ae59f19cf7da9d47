import type { CallEntry, Continuation, Journal, LoopEntry } from '../../shared/journal.js';
import { when } from '../app/format.js';
import { text as words } from '../text.js';
import { JournalResult } from './JournalResult.js';
import { Marked } from './Marked.js';
import { OneLine } from './OneLine.js';

/** What happened to each call under the claim, as it happens. The four endings never share a word. */
export function JournalView({ itemId, journal }: { itemId: string; journal: Journal }) {
  return (
    <section className="journal" data-testid="journal" aria-label={words.journal.title}>
      <h2>{words.journal.title}</h2>
      <ol aria-live="polite" aria-relevant="additions text">
        {[...journal.calls, ...journal.loop].map((entry, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries are only ever appended
          <Entry key={i} itemId={itemId} position={i} entry={entry} />
        ))}
      </ol>
      <ContinuationLine continuation={journal.continuation} />
    </section>
  );
}

function Entry(props: { itemId: string; position: number; entry: CallEntry | LoopEntry }) {
  const { itemId, position, entry } = props;
  return (
    <li className={`entry ${entry.state}`} data-state={entry.state}>
      <span className={`said ${entry.state}`}>{words.journal.state(entry.state, entry.cause)}</span>{' '}
      <span className="mono">
        <OneLine text={entry.name} />
      </span>
      <span className="faint">
        {' '}
        {words.journal.call(entry.index + 1)}
        {'step' in entry && ` · ${words.journal.byLoop(entry.step)}`}
        {entry.edited && ` · ${words.journal.edited}`}
        {entry.startedAt && ` · ${words.journal.started(when(entry.startedAt))}`}
        {entry.endedAt && ` · ${words.journal.ended(when(entry.endedAt))}`}
        {entry.cause && ` · ${words.journal.cause(entry.cause)}`}
      </span>
      {entry.reconciled.map((r) => (
        <p key={r.at} className="reconciled">
          {words.journal.reconciled(words.reconcile.how(r.how), r.by, when(r.at))}
          {r.note && (
            <>
              {' '}
              <Marked text={r.note} />
            </>
          )}
        </p>
      ))}
      {entry.result !== undefined && (
        <JournalResult key={entry.resultAt?.sha256 ?? ''} itemId={itemId} position={position} entry={entry} />
      )}
    </li>
  );
}

function ContinuationLine({ continuation }: { continuation: Continuation }) {
  return (
    <div className={`continuation ${continuation.state}`} role="status">
      <p>
        <strong>{words.continuation[continuation.state]}</strong>{' '}
        {continuation.state !== 'pending' && <span className="faint">{when(continuation.at)}</span>}
      </p>
      {'text' in continuation && (
        <p>
          <Marked text={continuation.text} />
        </p>
      )}
      {continuation.state === 'suspended_again' && <p>{words.journal.suspendedAgain(continuation.step)}</p>}
    </div>
  );
}
