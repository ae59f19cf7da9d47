import { useEffect, useRef } from 'react';
import type { Route } from '../../shared/settings.js';
import { text as words } from '../text.js';
import { arm, confirm, leave } from './actions.js';
import type { Current } from './current.js';
import { GuardedButton } from './GuardedButton.js';
import { Key } from './Key.js';
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

/** The second half: the group is focused, never the button. */
export function ArmedGoOn({ route }: { route: Route }) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current?.focus({ preventScroll: true }), []);
  return (
    <section ref={panel} tabIndex={-1} className="armed" aria-label={words.goOn.armedLabel}>
      <p>
        <strong>{words.goOn.armed[route]}</strong>
      </p>
      <span className="spacer" />
      <button type="button" className="btn" onClick={leave}>
        {words.cancel} <Key action="back" />
      </button>
      <GuardedButton className="btn go solid" testId="go-on-confirm" keys={['approve']} onGesture={confirm}>
        {words.goOn.confirm}
      </GuardedButton>
    </section>
  );
}
