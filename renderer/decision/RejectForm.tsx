import { useContext, useEffect, useId, useRef } from 'react';
import { isConfirmChord } from '../keys.js';
import { said } from '../run/said.js';
import { text as words } from '../text.js';
import { confirmReject, leave } from './actions.js';
import type { Current } from './current.js';
import { useDecision } from './decision-store.js';
import { GuardedButton, Shown } from './GuardedButton.js';
import { Key } from './Key.js';

/** The reason goes to the agent word for word, marked as a person's decision and as not executed. */
export function RejectForm({ current }: { current: Current }) {
  const { call, draft, itemId, batch } = current;
  const editDraft = useDecision((s) => s.editDraft);
  const editStep = useDecision((s) => s.editStep);
  const shown = useContext(Shown);
  const field = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  useEffect(() => field.current?.focus(), []);
  const name = call?.name ?? words.bar.step;
  return (
    <div className="reject-form">
      <p>
        <label htmlFor={id}>{words.reject.label(said(name))}</label>{' '}
        <span className="faint" id={`${id}-means`}>
          {words.reject.means}
        </span>
      </p>
      <textarea
        ref={field}
        id={id}
        data-testid="reject-reason"
        rows={2}
        aria-describedby={`${id}-means`}
        placeholder={words.reject.defaultReason}
        value={draft.reason}
        onChange={(event) =>
          call
            ? editDraft(itemId, call, { reason: event.target.value })
            : editStep(itemId, { reason: event.target.value })
        }
        onKeyDown={(event) => {
          if (!isConfirmChord(event)) return;
          event.preventDefault();
          const { key, repeat } = event;
          const composing = event.nativeEvent.isComposing;
          confirmReject(() => ({ by: 'key', key, repeat, composing, keyboard: 'confirm_text', madeFor: shown }));
        }}
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
