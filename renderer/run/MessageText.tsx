import { useState } from 'react';
import type { MessageView } from '../../shared/ipc.js';
import { size } from '../app/format.js';
import { noteRefusal } from '../app/toast-store.js';
import { call as ask } from '../bridge.js';
import { text as words } from '../text.js';
import { LongText } from './LongText.js';
import { Marked } from './Marked.js';
import { isLongText } from './places.js';

/** The text of one message, plain; the rest of a long one is fetched on demand. */
export function MessageText({ itemId, message }: { itemId: string; message: MessageView }) {
  const [fetched, setFetched] = useState<string | null>(null);
  const text = fetched ?? message.content;
  const missing = message.contentLength - text.length;

  async function fetchRest(): Promise<void> {
    let whole = text;
    while (whole.length < message.contentLength) {
      const reply = await ask('run:message', itemId, message.index, whole.length);
      if (!reply.ok) return noteRefusal(reply.refusal);
      if (reply.value.text === '') break;
      whole += reply.value.text;
    }
    setFetched(whole);
  }

  return (
    <>
      {isLongText(text) ? (
        <LongText lines={text.split('\n')} label={words.conversation.message} bounded />
      ) : (
        <p className="message-text">
          <Marked text={text} />
        </p>
      )}
      {missing > 0 && (
        <button type="button" className="link" onClick={() => void fetchRest()}>
          {words.conversation.fetchRest(size(missing))}
        </button>
      )}
    </>
  );
}
