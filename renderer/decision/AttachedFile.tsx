import { useMemo } from 'react';
import type { Attached } from '../../shared/draft.js';
import { count } from '../app/format.js';
import { DigestOf } from '../run/Digest.js';
import { lineCount } from '../run/fields.js';
import { LongText } from '../run/LongText.js';
import { OneLine } from '../run/OneLine.js';
import { said } from '../run/said.js';
import { text as words } from '../text.js';

/** What is attached: its name, size and digest, and all of what will be sent. */
export function AttachedFile({ file }: { file: Attached }) {
  const lines = useMemo(() => lineCount(file.text), [file.text]);
  return (
    <section className="attached-file" data-testid="attached" aria-label={words.answer.attached(said(file.name))}>
      <header>
        <strong>
          <OneLine text={file.name} />
        </strong>
        <span className="faint num">{words.answer.size(count(file.size), count(lines), lines)}</span>
        <DigestOf hex={file.sha256} />
      </header>
      {file.text === '' ? (
        <p className="faint">{words.answer.empty}</p>
      ) : (
        <LongText text={file.text} label={words.answer.whole(said(file.name))} bounded />
      )}
    </section>
  );
}
