import { useCallback, useEffect, useState } from 'react';
import { count } from '../app/format.js';
import { call as ask } from '../bridge.js';
import { text as words } from '../text.js';
import { copyMasked } from './copy.js';
import { JumpBack } from './JumpBack.js';
import { LongText } from './LongText.js';
import { Marked } from './Marked.js';

/** The record's own text as it was taken in, part after part. */
export function RawRecord({ itemId }: { itemId: string }) {
  const [raw, setRaw] = useState({ text: '', length: -1, refusal: '' });
  const more = useCallback(
    async (from: string): Promise<void> => {
      const reply = await ask('run:raw', itemId, from.length);
      if (reply.ok) setRaw({ text: from + reply.value.text, length: reply.value.length, refusal: '' });
      else setRaw({ text: from, length: from.length, refusal: reply.refusal.text });
    },
    [itemId],
  );
  useEffect(() => {
    setRaw({ text: '', length: -1, refusal: '' });
    void more('');
  }, [more]);
  return (
    <section className="raw" data-testid="raw" aria-label={words.raw.title}>
      <JumpBack spot="record" />
      <p className="pane-note faint">
        {raw.length < 0 ? words.loading : words.raw.shown(count(raw.text.length), count(raw.length))}{' '}
        <button type="button" className="link" onClick={() => void copyMasked(raw.text)}>
          {words.args.copy}
        </button>
        {raw.text.length < raw.length && (
          <button type="button" className="link" onClick={() => void more(raw.text)}>
            {words.raw.more}
          </button>
        )}
      </p>
      {raw.refusal !== '' && (
        <p className="warn">
          <Marked text={raw.refusal} />
        </p>
      )}
      <LongText text={raw.text} label={words.raw.text} bounded />
    </section>
  );
}
