import { useId } from 'react';
import { leave } from '../decision/actions.js';
import { GuardedButton } from '../decision/GuardedButton.js';
import { useGuard } from '../decision/guard-store.js';
import { Key } from '../decision/Key.js';
import { ReasonField } from '../decision/ReasonField.js';
import { text as words } from '../text.js';
import { rejectMarked } from './bulk-acts.js';
import { type Phase, useBulk } from './bulk-store.js';

/** One reason for all that the list names; it goes to each agent word for word. */
export function RejectMany({ phase }: { phase: Extract<Phase, { kind: 'rejecting' }> }) {
  const { list, reason } = phase;
  const ready = useGuard((s) => s.ready);
  const id = useId();
  return (
    <section
      className="decision-bar reject-form"
      data-testid="bulk-reject-form"
      data-ready={ready}
      aria-label={words.bulk.label}
    >
      <p>
        <label htmlFor={id}>{words.bulk.why(list.runs.length)}</label>{' '}
        <span className="faint" id={`${id}-means`}>
          {words.reject.means}
        </span>
      </p>
      <ReasonField
        id={id}
        testId="bulk-reason"
        describedBy={`${id}-means`}
        value={reason}
        onChange={(next) => useBulk.getState().setPhase({ ...phase, reason: next })}
        onConfirm={(gesture) => void rejectMarked(gesture)}
      />
      <div className="buttons">
        <span className="spacer" />
        <button type="button" className="btn" onClick={leave}>
          {words.cancel} <Key action="back" />
        </button>
        <GuardedButton
          className="btn solid"
          testId="bulk-reject-confirm"
          keys={['submit']}
          onGesture={(gesture) => void rejectMarked(gesture)}
        >
          {words.bulk.rejectNow(list.runs.length)}
        </GuardedButton>
      </div>
    </section>
  );
}
