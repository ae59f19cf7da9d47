import type { RunDetail } from '../../shared/ipc.js';
import { text as words } from '../text.js';
import { FactList } from './FactList.js';
import { ResultText } from './ResultText.js';

/** What a finished record says came of its run. Nothing was asked for it here. */
export function StoredOutcome({ outcome }: { outcome: NonNullable<RunDetail['storedOutcome']> }) {
  return (
    <section className="final stored" data-testid="stored-outcome" aria-label={words.stored.title}>
      <h2>{words.stored.title}</h2>
      <p className="faint">{words.stored.means}</p>
      {outcome.answer === '' ? <p className="faint">{words.stored.empty}</p> : <ResultText text={outcome.answer} />}
      <FactList facts={outcome.facts} />
    </section>
  );
}
