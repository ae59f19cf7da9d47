import { useEffect, useRef, useState } from 'react';
import type { OwnKeys } from '../../shared/settings.js';
import { type Action, clash, isPlainKey, KEYS, type KeyRow, shownKeys } from '../keys.js';
import { text as words } from '../text.js';
import { Section } from './Section.js';

const t = words.settings.keys;
/** How long a second key may follow the first one. */
const SECOND_KEY_MS = 800;

/** The keys of the table that can be changed, each with what it does. */
export function Keys() {
  return (
    <Section title={t.title} hint={t.hint} part={(s) => s.keys} withPart={(settings, keys) => ({ ...settings, keys })}>
      {(own, change) => (
        <>
          <div className="key-list">
            {KEYS.filter((row) => row.single).map((row) => (
              <KeyField key={row.action} row={row} own={own} change={change} />
            ))}
          </div>
          {Object.keys(own).length > 0 && (
            <div className="buttons">
              <button type="button" className="btn quiet" onClick={() => change({})}>
                {t.resetAll}
              </button>
            </div>
          )}
        </>
      )}
    </Section>
  );
}

interface FieldProps {
  row: KeyRow;
  own: OwnKeys;
  change: (own: OwnKeys) => void;
}

function KeyField({ row, own, change }: FieldProps) {
  const [typed, setTyped] = useState<readonly string[] | null>(null);
  const [said, setSaid] = useState('');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const name = words.help.action[row.action];
  const keys = own[row.action] ?? row.keys;

  function take(next: readonly string[]): void {
    setTyped(null);
    const taken = takenBy(row.action, next, own);
    if (taken !== null) setSaid(t.taken(shownKeys(next).join(' '), words.help.action[taken]));
    else change(withKeys(own, row, next));
  }
  function onKey(event: React.KeyboardEvent): void {
    if (typed === null || event.key === 'Tab' || event.key === 'Shift') return;
    event.preventDefault();
    event.stopPropagation();
    event.nativeEvent.stopImmediatePropagation();
    clearTimeout(timer.current);
    if (event.repeat) return;
    if (event.key === 'Escape') setTyped(null);
    else if (!isPlainKey(event)) {
      setTyped(null);
      setSaid(t.plainOnly);
    } else if (typed.length === 1) take([...typed, event.key]);
    else {
      setTyped([event.key]);
      timer.current = setTimeout(() => take([event.key]), SECOND_KEY_MS);
    }
  }
  return (
    <div className="key-field">
      <span>{name}</span>
      <span className="keys">
        {shownKeys(typed ?? keys).map((key, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a sequence may repeat a key
          <kbd key={i}>{key}</kbd>
        ))}
      </span>
      <button
        type="button"
        className="btn quiet"
        aria-label={t.changeLabel(name)}
        onClick={() => {
          setSaid('');
          setTyped([]);
        }}
        onBlur={() => {
          clearTimeout(timer.current);
          if (typed?.length === 1) take(typed);
          else setTyped(null);
        }}
        onKeyDown={onKey}
      >
        {typed === null ? t.change : t.press}
      </button>
      {own[row.action] !== undefined && (
        <button
          type="button"
          className="btn quiet"
          aria-label={t.resetLabel(name)}
          onClick={() => change(withKeys(own, row, row.keys))}
        >
          {t.reset}
        </button>
      )}
      <span className="refused" role="alert">
        {said}
      </span>
    </div>
  );
}

/** The action that these keys would clash with, or null. */
export function takenBy(action: Action, keys: readonly string[], own: OwnKeys): Action | null {
  const rows = KEYS.map((row) => {
    if (row.action === action) return { ...row, keys };
    return row.single ? { ...row, keys: own[row.action] ?? row.keys } : row;
  });
  const pair = clash(rows);
  return pair === null ? null : (pair.find((one) => one !== action) ?? null);
}

/** What is as at first is not kept. */
function withKeys(own: OwnKeys, row: KeyRow, keys: readonly string[]): OwnKeys {
  const { [row.action]: _before, ...rest } = own;
  const asAtFirst = keys.length === row.keys.length && keys.every((key, i) => key === row.keys[i]);
  return asAtFirst ? rest : { ...rest, [row.action]: [...keys] };
}
