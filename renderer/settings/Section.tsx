import { type ReactNode, useEffect, useId, useState } from 'react';
import { Settings } from '../../shared/settings.js';
import { text as words } from '../text.js';
import { faultsOf } from './faults.js';
import { useSettings } from './settings-store.js';

interface Props<T> {
  title: string;
  hint?: string;
  /** The part of the settings that this section edits. */
  part: (settings: Settings) => T;
  /** The settings with the edited part in them. */
  withPart: (settings: Settings, part: T) => Settings;
  children: (value: T, change: (value: T) => void, dirty: boolean) => ReactNode;
}

/** One part of the settings as a form: checked before it is saved, whole or not at all. */
export function Section<T>({ title, hint, part, withPart, children }: Props<T>) {
  const { settings, save } = useSettings();
  const saved = part(settings);
  const [value, setValue] = useState<T>(saved);
  const [said, setSaid] = useState<{ ok: boolean; text: string } | null>(null);
  const id = useId();
  const savedText = JSON.stringify(saved);
  const dirty = JSON.stringify(value) !== savedText;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was saved elsewhere replaces the form
  useEffect(() => setValue(saved), [savedText]);

  async function submit(): Promise<void> {
    const parsed = Settings.safeParse(withPart(settings, value));
    if (!parsed.success) {
      setSaid({ ok: false, text: faultsOf(parsed.error) });
      return;
    }
    const refusal = await save(parsed.data);
    setSaid(refusal ? { ok: false, text: refusal.text } : { ok: true, text: words.settings.saved });
  }

  return (
    <form
      className="section"
      aria-labelledby={id}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <h2 id={id}>{title}</h2>
      {hint !== undefined && <p className="faint">{hint}</p>}
      {children(
        value,
        (next) => {
          setSaid(null);
          setValue(next);
        },
        dirty,
      )}
      <div className="buttons">
        <button type="submit" className={dirty ? 'btn solid' : 'btn'} disabled={!dirty}>
          {words.settings.save}
        </button>
        {dirty && (
          <button type="button" className="btn quiet" onClick={() => setValue(saved)}>
            {words.settings.revert}
          </button>
        )}
        {said && (
          <span className={said.ok ? 'ok' : 'refused'} role={said.ok ? 'status' : 'alert'}>
            {said.text}
          </span>
        )}
      </div>
    </form>
  );
}
