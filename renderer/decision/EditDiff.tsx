import { useMemo } from 'react';
import { LongText } from '../run/LongText.js';
import { Marked } from '../run/Marked.js';
import { text as words } from '../text.js';
import { type DiffLine, diffTexts } from './diff.js';
import { sentText } from './edit.js';

interface Props {
  /** The proposed argument text, as it came. */
  before: string;
  after: string;
  /** Shows the effective text itself instead of the difference. */
  whole?: boolean;
}

/** Proposed -> effective: what the reviewer's edit changes. */
export function EditDiff({ before, after, whole = false }: Props) {
  const lines = useMemo(() => diffTexts(sentText(before), after), [before, after]);
  return (
    <section className="edit-diff" data-testid="edit-diff" aria-label={words.edit.diff}>
      <h3>{whole ? words.edit.effective : words.edit.diff}</h3>
      {whole ? <LongText text={after} label={words.edit.effective} /> : <DiffView lines={lines} />}
    </section>
  );
}

export function DiffView({ lines }: { lines: readonly DiffLine[] }) {
  return (
    <div className="diff" data-exact>
      {lines.map((line, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of one diff never move
        <div key={i} className={line.kind} data-line="ends">
          <span className="sign" data-gutter>
            <span aria-hidden="true">{words.diff.sign[line.kind]}</span>
            {line.kind !== 'same' && <span className="visually-hidden">{words.diff[line.kind]}</span>}
          </span>
          <Marked text={line.text} />
        </div>
      ))}
    </div>
  );
}
