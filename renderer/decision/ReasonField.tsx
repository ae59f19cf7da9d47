import { useContext, useEffect, useRef } from 'react';
import { isConfirmChord } from '../keys.js';
import { useSettings } from '../settings/settings-store.js';
import { text as words } from '../text.js';
import type { Gesture } from './actions.js';
import { Shown } from './GuardedButton.js';

interface ReasonFieldProps {
  id: string;
  testId: string;
  describedBy: string;
  value: string;
  onChange(reason: string): void;
  onConfirm(gesture: Gesture): void;
}

/** The reason of a rejection: has the focus when it comes up, takes one that is given often, and is confirmed from within. */
export function ReasonField({ id, testId, describedBy, value, onChange, onConfirm }: ReasonFieldProps) {
  const shown = useContext(Shown);
  const presets = useSettings((s) => s.settings.rejectReasons);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <>
      <textarea
        ref={field}
        id={id}
        data-testid={testId}
        rows={2}
        aria-describedby={describedBy}
        placeholder={words.reject.defaultReason}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (!isConfirmChord(event)) return;
          event.preventDefault();
          const { key, repeat } = event;
          const composing = event.nativeEvent.isComposing;
          onConfirm(() => ({ by: 'key', key, repeat, composing, keyboard: 'confirm_text', madeFor: shown }));
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
              aria-pressed={value === preset}
              onClick={() => {
                onChange(preset);
                field.current?.focus();
              }}
            >
              {preset}
            </button>
          ))}
        </fieldset>
      )}
    </>
  );
}
