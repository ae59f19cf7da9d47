import type { CallView } from '../../shared/ipc.js';
import { diffTexts } from '../decision/diff.js';
import { Diff } from '../diff/Diff.js';
import { text as words } from '../text.js';
import { OneLine } from './OneLine.js';

interface Props {
  before: readonly CallView[];
  after: readonly CallView[];
  /** The whole argument text of a call where it is at hand, else what came with the card. */
  textBefore: (call: CallView) => string;
  textAfter: (call: CallView) => string;
}

/** The calls of a batch that are not what they were, position by position: name, and difference of the arguments. */
export function CallDiffs({ before, after, textBefore, textAfter }: Props) {
  const positions = Array.from({ length: Math.max(before.length, after.length) }, (_, i) => i);
  return positions.map((i) => {
    const old = before[i];
    const now = after[i];
    if (old?.argumentsSha256 === now?.argumentsSha256 && old?.name === now?.name) return null;
    return (
      <div key={i}>
        <h3>
          {words.changed.call(i + 1)} <OneLine text={old?.name ?? words.changed.absent} />
          {old?.name !== now?.name && (
            <>
              {' → '}
              <OneLine text={now?.name ?? words.changed.absent} />
            </>
          )}
        </h3>
        <Diff
          lines={diffTexts(old ? textBefore(old) : '', now ? textAfter(now) : '')}
          label={words.changed.call(i + 1)}
        />
      </div>
    );
  });
}
