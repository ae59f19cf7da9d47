import { useEffect, useRef } from 'react';
import type { RunDetail } from '../../shared/ipc.js';
import { Marked } from '../run/Marked.js';
import { text as words } from '../text.js';
import { armRetry, confirmRetry, leave } from './actions.js';
import type { Current } from './current.js';
import { GuardedButton } from './GuardedButton.js';
import { Key } from './Key.js';
import { OFF_ID, WhyOff } from './WhyOff.js';

type Retry = NonNullable<RunDetail['retry']>;

/** A turn that may have run already: to let it run again stands behind its warning, and has no key (R7). */
export function RetryButtons({ current, retry }: { current: Current; retry: Retry }) {
  const off = current.whyNotApprove.length > 0;
  return (
    <>
      <WhyOff title={words.retry.off} why={current.whyNotApprove} />
      <RetryWarning retry={retry} />
      <div className="buttons">
        <span className="spacer" />
        <GuardedButton
          className="btn danger"
          testId="retry"
          off={off}
          describedBy={off ? OFF_ID : undefined}
          onGesture={armRetry}
        >
          {words.retry.act(retry.turn)}
        </GuardedButton>
      </div>
    </>
  );
}

/** The second half: says the warning again, and puts the confirmation where the first button was not. */
export function RetryPanel({ retry }: { retry: Retry }) {
  const panel = useRef<HTMLElement>(null);
  // The group is focused, never the button: a key that was meant for something else finds nothing to press.
  useEffect(() => panel.current?.focus({ preventScroll: true }), []);
  return (
    <section
      ref={panel}
      tabIndex={-1}
      className="armed destructive"
      data-testid="retry-panel"
      aria-label={words.retry.label(retry.turn)}
    >
      <RetryWarning retry={retry} />
      <GuardedButton className="btn danger solid" testId="retry-confirm" onGesture={confirmRetry}>
        {words.retry.confirm(retry.turn)}
      </GuardedButton>
      <span className="spacer" />
      <button type="button" className="btn" onClick={leave}>
        {words.cancel} <Key action="back" />
      </button>
    </section>
  );
}

function RetryWarning({ retry }: { retry: Retry }) {
  return (
    <p className="retry-warning" data-testid="retry-warning">
      <strong>{words.retry.title(retry.turn)}</strong> <Marked text={retry.warning} />
    </p>
  );
}
