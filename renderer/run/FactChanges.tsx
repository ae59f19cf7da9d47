import { text as words } from '../text.js';
import type { FactChange } from './fact-changes.js';
import { OneLine } from './OneLine.js';

/** Each fact that changed, as it was read and as it is now. */
export function FactChanges({ changes }: { changes: readonly FactChange[] }) {
  if (changes.length === 0) return null;
  return (
    <ul className="fact-changes" data-testid="fact-changes">
      {changes.map(({ call, what, was, is }) => (
        <li key={`${call} ${what}`}>
          {call !== null && <span className="faint">{words.changed.call(call)} </span>}
          {what}{' '}
          <del>
            <OneLine text={was} />
          </del>{' '}
          →{' '}
          <ins>
            <OneLine text={is} />
          </ins>
        </li>
      ))}
    </ul>
  );
}
