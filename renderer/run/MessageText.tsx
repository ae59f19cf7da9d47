import { useMemo, useState } from 'react';
import type { MessageView } from '../../shared/ipc.js';
import { size } from '../app/format.js';
import { useUi } from '../app/ui-store.js';
import { text as words } from '../text.js';
import { fetchRest } from './fetch-rest.js';
import { LongText } from './LongText.js';
import { Markdown } from './Markdown.js';
import { Marked } from './Marked.js';
import { markdownOf } from './markdown-tree.js';
import { isLongText } from './places.js';

/** The text of one message, plain; the rest of a long one is fetched on demand. */
export function MessageText({ itemId, message }: { itemId: string; message: MessageView }) {
  const [fetched, setFetched] = useState<string | null>(null);
  const text = fetched ?? message.content;
  const formatted = useUi((s) => s.formatted) && message.role !== 'tool';
  const tree = useMemo(() => (formatted ? markdownOf(text) : null), [formatted, text]);
  const missing = message.contentLength - text.length;

  const whole = (): Promise<string | null> =>
    fetchRest('run:message', itemId, message.index, { text, length: message.contentLength });

  return (
    <>
      {tree !== null ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        <section className="message-text formatted" tabIndex={0} aria-label={words.conversation.message}>
          <Markdown tree={tree} source={text} />
        </section>
      ) : isLongText(text) ? (
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
