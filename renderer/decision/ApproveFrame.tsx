import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { listen } from '../bridge.js';
import { text as words } from '../text.js';
import { CONTROL_ID, focusControl, taken, useControl, withdraw } from './control-store.js';

const ORIGIN = 'app-approve://holdpoint';
const LOWEST = 72;
const HIGHEST = 420;

/**
 * Where the approve control stands. It is another origin and another process: this page can place it, and can neither
 * look nor reach into it. The one thing that it tells is how tall it would like to be.
 */
export function ApproveFrame({ content }: { content: string }) {
  const proposed = useControl((s) => s.proposed);
  const frame = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState(LOWEST);

  // What was proposed for another content is not proposed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the content is the occasion
  useEffect(() => withdraw, [content]);

  useLayoutEffect(() => {
    if (proposed) focusControl();
  }, [proposed]);

  useEffect(() => listen('approve:taken', taken), []);

  useEffect(() => {
    const onMessage = ({ source, origin, data }: MessageEvent<unknown>): void => {
      if (source !== frame.current?.contentWindow || origin !== ORIGIN || typeof data !== 'number') return;
      setHeight(Math.min(HIGHEST, Math.max(LOWEST, Math.ceil(data))));
    };
    window.addEventListener('message', onMessage);
    return () => window.removeEventListener('message', onMessage);
  }, []);

  return (
    <iframe
      ref={frame}
      id={CONTROL_ID}
      className="approve-frame"
      data-testid="approve-frame"
      data-proposed={proposed}
      title={words.control.title}
      src={`${ORIGIN}/approve.html`}
      height={height}
      // Not in the way of Tab while there is nothing in it.
      tabIndex={proposed ? 0 : -1}
      aria-hidden={!proposed}
    />
  );
}
