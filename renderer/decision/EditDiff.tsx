import { useMemo } from 'react';
import { useUi } from '../app/ui-store.js';
import { Diff, DiffModes } from '../diff/Diff.js';
import { LongText } from '../run/LongText.js';
import { text as words } from '../text.js';
import { diffTexts } from './diff.js';
import { type Edits, sentText } from './edit.js';

interface Props {
  /** The proposed argument text, as it came. */
  before: string;
  edits?: Edits;
  after: string;
}

/** Proposed -> effective: what the reviewer's edit changes; or the effective text itself, as the mode says. */
export function EditDiff({ before, after, edits = 'object' }: Props) {
  const whole = useUi((s) => s.diffMode === 'whole');
  const lines = useMemo(() => diffTexts(sentText(before, edits), after), [before, after, edits]);
  return (
    <section className="edit-diff" data-testid="edit-diff" aria-label={words.edit.diff}>
      <header>
        <h3>{whole ? words.edit.effective : words.edit.diff}</h3>
        <DiffModes />
      </header>
      {whole ? <LongText text={after} label={words.edit.effective} /> : <Diff lines={lines} label={words.edit.diff} />}
    </section>
  );
}
