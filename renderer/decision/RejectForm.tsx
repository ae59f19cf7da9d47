import { useId } from 'react';
import { said } from '../run/said.js';
import { text as words } from '../text.js';
import { confirmReject, leave } from './actions.js';
import type { Current } from './current.js';
import { useDecision } from './decision-store.js';
import { GuardedButton } from './GuardedButton.js';
import { Key } from './Key.js';
import { ReasonField } from './ReasonField.js';

/** The reason goes to the agent word for word, marked as a person's decision and as not executed. */
export function RejectForm({ current }: { current: Current }) {
  const { call, draft, itemId, batch } = current;
  const editDraft = useDecision((s) => s.editDraft);
  const editStep = useDecision((s) => s.editStep);
  const id = useId();
  const setReason = (reason: string): void =>
    call ? editDraft(itemId, call, { reason }) : editStep(itemId, { reason });
  const name = call?.name ?? words.bar.step;
  return (
    <div className="reject-form">
      <p>
        <label htmlFor={id}>{words.reject.label(said(name))}</label>{' '}
        <span className="faint" id={`${id}-means`}>
          {words.reject.means}
        </span>
      </p>
      <ReasonField
        id={id}
        testId="reject-reason"
        describedBy={`${id}-means`}
        value={draft.reason}
        onChange={setReason}
        onConfirm={confirmReject}
      />
      <div className="buttons">
        <span className="spacer" />
        <button type="button" className="btn" onClick={leave}>
          {words.cancel} <Key action="back" />
        </button>
        <GuardedButton className="btn solid" testId="reject-confirm" keys={['submit']} onGesture={confirmReject}>
          {batch ? words.reject.mark : words.reject.confirm}
        </GuardedButton>
      </div>
    </div>
  );
}
