import { text as words } from '../text.js';
import { arm } from './actions.js';
import type { Current } from './current.js';
import { GuardedButton } from './GuardedButton.js';
import { OFF_ID, WhyOff } from './WhyOff.js';

/** A record in which nothing waits: the one thing to say of it is that it goes on. Nothing is approved. */
export function GoOnButtons({ current }: { current: Current }) {
  const off = current.whyNotApprove.length > 0;
  return (
    <>
      <WhyOff title={words.goOn.off} why={current.whyNotApprove} />
      <div className="buttons">
        <span className="spacer" />
        <GuardedButton
          className="btn go"
          testId="go-on"
          off={off}
          describedBy={off ? OFF_ID : undefined}
          keys={['approve', 'approve']}
          onGesture={arm}
        >
          {words.goOn.act}
        </GuardedButton>
      </div>
    </>
  );
}
