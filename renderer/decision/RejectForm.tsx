import { useContext, useEffect, useId, useRef } from 'react';
import { isConfirmChord } from '../keys.js';
import { said } from '../run/said.js';
import { useSettings } from '../settings/settings-store.js';
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
  const presets = useSettings((s) => s.settings.rejectReasons);
  const id = useId();
  const setReason = (reason: string): void =>
    call ? editDraft(itemId, call, { reason }) : editStep(itemId, { reason });
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
        onChange={(event) => setReason(event.target.value)}
        onKeyDown={(event) => {
          if (!isConfirmChord(event)) return;
          event.preventDefault();
          const { key, repeat } = event;
          const composing = event.nativeEvent.isComposing;
          confirmReject(() => ({ by: 'key', key, repeat, composing, keyboard: 'confirm_text', madeFor: shown }));
        }}
      />
      {presets.length > 0 && (
        <fieldset className="presets">
          <legend className="visually-hidden">{words.reject.presets}</legend>
          {presets.map((preset) => (
            <button
              key={preset}
              type="button"
              className="chip"
              aria-pressed={draft.reason === preset}
              onClick={() => {
                setReason(preset);
                field.current?.focus();
              }}
            >
              {preset}
            </button>
          ))}
        </fieldset>
      )}
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
