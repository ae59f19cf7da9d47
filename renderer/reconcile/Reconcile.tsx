import type { RunDetail } from '../../shared/ipc.js';
import { text as words } from '../text.js';
import { DispatchAgain } from './DispatchAgain.js';
import { Evidence } from './Evidence.js';
import { Settle } from './Settle.js';
import { unknownCalls } from './unknown-calls.js';

/** Calls that may have run: evidence on the left, what a person can say on the right. Nothing here runs by itself (I8). */
export function Reconcile({ detail }: { detail: RunDetail }) {
  const unknown = unknownCalls(detail);
  if (unknown.length === 0) return null;
  const repeatable = unknown.every((call) => call.repeatable);
  return (
    <section className="reconcile" data-testid="reconcile" aria-label={words.reconcile.title}>
      <div className="verdict unknown">
        <h1>{words.reconcile.title}</h1>
        <strong className="tag">{words.reconcile.tag(unknown.length)}</strong>
        <p>{detail.journal === null ? words.reconcile.cameLatched : words.reconcile.words}</p>
      </div>
      {unknown.map((call) => (
        <div className="reconcile-call" key={call.index}>
          <Evidence detail={detail} call={call} />
          <Settle itemId={detail.row.id} call={call} />
        </div>
      ))}
      {repeatable && <DispatchAgain itemId={detail.row.id} count={unknown.length} />}
    </section>
  );
}
