import { useState } from 'react';
import type { MessageView } from '../../shared/ipc.js';
import { size } from '../app/format.js';
import { text as words } from '../text.js';
import { fetchRest } from './fetch-rest.js';
import { LongText } from './LongText.js';
import { Marked } from './Marked.js';
import { isLongText } from './places.js';

/** The text of one message, plain; the rest of a long one is fetched on demand. */
export function MessageText({ itemId, message }: { itemId: string; message: MessageView }) {
  const [fetched, setFetched] = useState<string | null>(null);
  const text = fetched ?? message.content;
  const missing = message.contentLength - text.length;

  const whole = (): Promise<string | null> =>
    fetchRest('run:message', itemId, message.index, { text, length: message.contentLength });

  return (
    <>
      {isLongText(text) ? (
        <LongText text={text} label={words.conversation.message} bounded />
      ) : (
        <p className="message-text">
          <Marked text={text} reveal />
        </p>
      )}
      {missing > 0 && (
        <button
          type="button"
          className="link"
          onClick={() => void whole().then((all) => all !== null && setFetched(all))}
        >
          {words.conversation.fetchRest(size(missing))}
        </button>
      )}
    </>
  );
}
