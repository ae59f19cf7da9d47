import { dispatchAgain } from '../run/run-actions.js';
import { text as words } from '../text.js';

/** Offered only when the reviewer's own table says that every unknown call is repeatable; still an explicit act (K13). */
export function DispatchAgain({ itemId, count }: { itemId: string; count: number }) {
  return (
    <section className="dispatch-again">
      <p>{words.reconcile.mayRepeat(count)}</p>
      <button type="button" className="btn" data-testid="dispatch-again" onClick={() => void dispatchAgain(itemId)}>
        {words.reconcile.dispatchAgain}
      </button>
    </section>
  );
}
