import { useId, useState } from 'react';
import { call as ask } from '../bridge.js';
import { text as words } from '../text.js';

const t = words.settings.models;

/** A secret on its way to the system's key store; it is never read back. */
export function SecretEntry({ name, label = t.key, off }: { name: string; label?: string; off: boolean }) {
  const [value, setValue] = useState('');
  const [said, setSaid] = useState('');
  const id = useId();
  async function store(key: string): Promise<void> {
    const reply = await ask('secret:set', name, key);
    setValue('');
    setSaid(reply.ok ? t.stored[reply.value.stored] : reply.refusal.text);
  }
  return (
    <div className="setting">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="password"
        autoComplete="off"
        value={value}
        disabled={off}
        onChange={(event) => setValue(event.target.value)}
      />
      <span className="buttons">
        <button type="button" className="btn" disabled={off || value === ''} onClick={() => void store(value)}>
          {t.storeKey}
        </button>
        <button type="button" className="btn quiet" disabled={off} onClick={() => void store('')}>
          {t.forgetKey}
        </button>
        <span className="faint" role="status">
          {off ? words.settings.saveFirst : said || t.keyHint}
        </span>
      </span>
    </div>
  );
}
