import type { RunDetail } from '../../shared/ipc.js';
import { Marked } from '../run/Marked.js';
import { text as words } from '../text.js';
import { armRetry } from './actions.js';
import type { Current } from './current.js';
import { GuardedButton } from './GuardedButton.js';
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

function RetryWarning({ retry }: { retry: Retry }) {
  return (
    <p className="retry-warning" data-testid="retry-warning">
      <strong>{words.retry.title(retry.turn)}</strong> <Marked text={retry.warning} />
    </p>
  );
}
