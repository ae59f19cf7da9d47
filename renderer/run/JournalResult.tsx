import { useState } from 'react';
import type { CallEntry } from '../../shared/journal.js';
import { size } from '../app/format.js';
import { text as words } from '../text.js';
import { fetchRest } from './fetch-rest.js';
import { ResultText } from './ResultText.js';

/** The answer of one call. Of a large one its beginning, until somebody asks for the rest. */
export function JournalResult(props: { itemId: string; position: number; entry: CallEntry }) {
  const { itemId, position, entry } = props;
  const [whole, setWhole] = useState<string | null>(null);
  const text = whole ?? entry.result ?? '';
  const length = entry.resultAt?.length ?? 0;
  return (
    <>
      <ResultText text={text} />
      {length > text.length && (
        <button
          type="button"
          className="link"
          onClick={() => void fetchRest('run:result', itemId, position, { text, length }).then(setWhole)}
        >
          {words.conversation.fetchRest(size(length - text.length))}
        </button>
      )}
    </>
  );
}
