import { useState } from 'react';
import { noteRefusal } from '../app/toast-store.js';
import { call as ask } from '../bridge.js';
import { GuardedButton } from '../decision/GuardedButton.js';
import { useGuard } from '../decision/guard-store.js';
import { useRun } from '../run/run-store.js';
import { text as words } from '../text.js';

/** Offered only when the reviewer's own table says that every unknown call is repeatable; still an explicit act (K13). */
export function DispatchAgain({ itemId, count }: { itemId: string; count: number }) {
  const [armed, setArmed] = useState(false);
  async function dispatch(): Promise<void> {
    const reply = await ask('resume:redispatch', itemId);
    if (!reply.ok) noteRefusal(reply.refusal);
    setArmed(false);
    await useRun.getState().reload();
  }
  return (
    <section className="dispatch-again">
      <p>{words.reconcile.mayRepeat(count)}</p>
      {armed ? (
        <GuardedButton
          className="btn danger"
          onGesture={(gesture) => {
            if (useGuard.getState().refuses(gesture('')) === null) void dispatch();
          }}
        >
          {words.reconcile.dispatchConfirm(count)}
        </GuardedButton>
      ) : (
        <button type="button" className="btn" onClick={() => setArmed(true)}>
          {words.reconcile.dispatchAgain}
        </button>
      )}
    </section>
  );
}
