import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { CARD_ID } from '../app/focus.js';
import { listen } from '../bridge.js';
import { text as words } from '../text.js';
import { CONTROL_ID, focusControl, refocusControl, taken, useControl, withdraw } from './control-store.js';
import { useFrameLife } from './frame-life.js';

const ORIGIN = 'app-approve://holdpoint';
const LOWEST = 72;
const HIGHEST = 420;
/** What the page keeps for itself of the middle, when a list stands in the control. */
const PAGE_PART = 112;

/**
 * Where the approve control stands. It is another origin and another process: this page can place it, and can neither
 * look nor reach into it. What it tells is how tall it would like to be, and by that that it lives.
 */
export function ApproveFrame({ content, many }: { content: string; many: boolean }) {
  const proposed = useControl((s) => s.proposed);
  const frame = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState(LOWEST);
  const { life, heard } = useFrameLife(proposed, refocusControl);

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
      heard();
      setHeight(Math.min(highest(many), Math.max(LOWEST, Math.ceil(data))));
    };
    window.addEventListener('message', onMessage);
    return () => window.removeEventListener('message', onMessage);
  }, [many, heard]);

  return (
    <iframe
      key={life}
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

/** A list takes most of the middle; what is longer scrolls in it. */
function highest(many: boolean): number {
  const room = (document.getElementById(CARD_ID)?.clientHeight ?? 0) - PAGE_PART;
  return many ? Math.max(LOWEST, room) : HIGHEST;
}
