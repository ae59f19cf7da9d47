import { useEffect, useRef, useState } from 'react';
import type { MessageView, RunDetail } from '../../shared/ipc.js';
import { useUi } from '../app/ui-store.js';
import { text as words } from '../text.js';
import { JumpBack } from './JumpBack.js';
import { messageSpot } from './jump.js';
import { Marked } from './Marked.js';
import { MessageText } from './MessageText.js';
import { OneLine } from './OneLine.js';

const PAGE = 40;

/** The conversation up to this step, the latest at the end and in view. Plain text: nothing in it can act (I10). */
export function Conversation({ detail }: { detail: RunDetail }) {
  const { messages } = detail;
  const [shown, setShown] = useState(PAGE);
  const formatted = useUi((s) => s.formatted);
  const list = useRef<HTMLOListElement>(null);
  const itemId = detail.row.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: anchored once for each run
  useEffect(() => {
    setShown(PAGE);
    if (list.current) list.current.scrollTop = list.current.scrollHeight;
  }, [itemId]);
  const hidden = Math.max(0, messages.length - shown);
  const here = messages.findLast((m) => m.role === 'assistant' && m.toolCalls.length > 0)?.index;
  return (
    <section className="conversation" data-testid="conversation" aria-label={words.conversation.title}>
      <p className="pane-note faint">
        {words.conversation.mayBeCut}{' '}
        <button
          type="button"
          className="link"
          aria-pressed={!formatted}
          onClick={() => useUi.setState({ formatted: !formatted })}
        >
          {words.conversation.asWritten}
        </button>
      </p>
      {messages.length === 0 && <p className="pane-note">{words.conversation.none}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <ol ref={list} tabIndex={0} aria-label={words.conversation.title}>
        {hidden === 0 && (messages[0]?.index ?? 0) > 0 && (
          <li className="earlier faint">{words.conversation.notLoaded(messages[0]?.index ?? 0)}</li>
        )}
        {hidden > 0 && (
          <li className="earlier">
            <button type="button" className="link" onClick={() => setShown(shown + PAGE * 5)}>
              {words.conversation.earlier(hidden)}
            </button>
          </li>
        )}
        {messages.slice(hidden).map((message) => (
          <MessageItem key={message.index} itemId={itemId} message={message} isHere={message.index === here} />
        ))}
      </ol>
    </section>
  );
}

function MessageItem({ itemId, message, isHere }: { itemId: string; message: MessageView; isHere: boolean }) {
  return (
    <li className={`msg ${message.role}`} aria-current={isHere ? 'step' : undefined}>
      <strong className="who">
        {words.conversation.role[message.role]}
        {message.toolCallId !== null && (
          <span className="mono">
            {' '}
            · <OneLine text={message.toolCallId} />
          </span>
        )}
        {isHere && ` · ${words.conversation.thisStep}`}
      </strong>
      <JumpBack spot={messageSpot(message.index)} />
      {message.content !== '' && <MessageText itemId={itemId} message={message} />}
      {message.toolCalls.length > 0 && (
        <ul className="msg-calls">
          {message.toolCalls.map((call, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: ids may repeat; the position is the identity
            <li key={i} className="mono">
              <OneLine text={call.name} />{' '}
              <span className="faint">
                <Marked text={call.arguments.slice(0, 200)} />
              </span>
              {call.arguments.length > 200 && <span className="faint">…</span>}
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}
