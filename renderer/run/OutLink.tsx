import type { ReactNode } from 'react';
import { noteRefusal } from '../app/toast-store.js';
import { call as ask } from '../bridge.js';
import { text as words } from '../text.js';
import { Marked } from './Marked.js';
import { OneLine } from './OneLine.js';
import { urlParts } from './url-host.js';

interface Props {
  url: string;
  title: string | null;
  children?: ReactNode;
}

/**
 * A link out of the application: its words, then where it really goes. It opens in the system's browser, after a question
 * that shows the whole address; anything but https is text.
 */
export function OutLink({ url, title, children }: Props) {
  const parts = urlParts(url);
  const opens = parts?.scheme === 'https' && !parts.userInfo;
  const open = async (): Promise<void> => {
    const reply = await ask('link:open', url);
    if (!reply.ok) noteRefusal(reply.refusal);
  };
  return (
    <span className="out-link">
      {children}{' '}
      {opens ? (
        <button type="button" className="link" title={words.markdown.opens} onClick={() => void open()}>
          ↗ <OneLine text={url} />
        </button>
      ) : (
        <span className="faint">
          ({words.markdown.notOpened} <OneLine text={url} />)
        </span>
      )}
      {parts?.unicode && (
        <span className="mark">
          <Marked text={parts.unicode} line />
        </span>
      )}
      {title !== null && (
        <>
          {' '}
          <Marked text={title} line />
        </>
      )}
    </span>
  );
}
