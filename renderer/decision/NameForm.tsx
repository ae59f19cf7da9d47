import { useEffect, useId, useRef, useState } from 'react';
import { focusCard } from '../app/focus.js';
import { useSettings } from '../settings/settings-store.js';
import { text as words } from '../text.js';
import { leave } from './actions.js';
import { IDLE, useDecision } from './decision-store.js';

/** A decision carries a name. Asked for once, before the first one; saving it decides nothing. */
export function NameForm() {
  const { settings, save } = useSettings();
  const setMode = useDecision((s) => s.setMode);
  const [name, setName] = useState('');
  const [fault, setFault] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  useEffect(() => field.current?.focus(), []);
  async function keep(): Promise<void> {
    const refusal = await save({ ...settings, reviewer: name.trim() });
    if (refusal) {
      setFault(refusal.text);
      return;
    }
    setMode(IDLE);
    focusCard();
  }
  return (
    <form
      className="name-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== '') void keep();
      }}
    >
      <label htmlFor={id}>{words.name.label}</label>
      <input
        ref={field}
        id={id}
        data-testid="reviewer-name"
        value={name}
        maxLength={200}
        autoComplete="name"
        onChange={(event) => setName(event.target.value)}
      />
      <button type="submit" className="btn solid" disabled={name.trim() === ''}>
        {words.name.save}
      </button>
      <button type="button" className="btn" onClick={leave}>
        {words.cancel}
      </button>
      <span className="faint">{words.name.means}</span>
      {fault !== '' && (
        <p className="refused" role="alert">
          {fault}
        </p>
      )}
    </form>
  );
}
