import { useContext, useEffect, useId, useRef } from 'react';
import { leave } from '../decision/actions.js';
import { GuardedButton, Shown } from '../decision/GuardedButton.js';
import { useGuard } from '../decision/guard-store.js';
import { Key } from '../decision/Key.js';
import { isConfirmChord } from '../keys.js';
import { useSettings } from '../settings/settings-store.js';
import { text as words } from '../text.js';
import { rejectMarked } from './bulk-acts.js';
import { type Phase, useBulk } from './bulk-store.js';

/** One reason for all that the list names; it goes to each agent word for word. */
export function RejectMany({ phase }: { phase: Extract<Phase, { kind: 'rejecting' }> }) {
  const { list, reason } = phase;
  const presets = useSettings((s) => s.settings.rejectReasons);
  const shown = useContext(Shown);
  const ready = useGuard((s) => s.ready);
  const field = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  const setReason = (next: string): void => useBulk.getState().setPhase({ ...phase, reason: next });
  useEffect(() => field.current?.focus(), []);
  return (
    <section
      className="decision-bar reject-form"
      data-testid="bulk-reject-form"
      data-ready={ready}
      aria-label={words.bulk.label}
    >
      <p>
        <label htmlFor={id}>{words.bulk.why(list.runs.length)}</label>{' '}
        <span className="faint">{words.reject.means}</span>
      </p>
      <textarea
        ref={field}
        id={id}
        data-testid="bulk-reason"
        rows={2}
        placeholder={words.reject.defaultReason}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
        onKeyDown={(event) => {
          if (!isConfirmChord(event)) return;
          event.preventDefault();
          const { key, repeat } = event;
          const composing = event.nativeEvent.isComposing;
          void rejectMarked(() => ({ by: 'key', key, repeat, composing, keyboard: 'confirm_text', madeFor: shown }));
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
              aria-pressed={reason === preset}
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
