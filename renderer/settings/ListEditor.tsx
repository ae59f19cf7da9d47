import type { ReactNode } from 'react';
import { text as words } from '../text.js';

interface Props<T> {
  items: readonly T[];
  onChange: (items: T[]) => void;
  /** Names one item for its buttons. */
  nameOf: (item: T, index: number) => string;
  adds: readonly { label: string; make: () => T }[];
  /** Order means something: items can be moved. */
  ordered?: boolean;
  children: (item: T, change: (item: T) => void, index: number) => ReactNode;
}

/** A list of things with fields, edited in place. */
export function ListEditor<T>({ items, onChange, nameOf, adds, ordered = false, children }: Props<T>) {
  const swap = (i: number, j: number): void => {
    const next = [...items];
    const [a, b] = [next[i], next[j]];
    if (a === undefined || b === undefined) return;
    next[i] = b;
    next[j] = a;
    onChange(next);
  };
  return (
    <div className="list-editor">
      {items.map((item, i) => {
        const name = nameOf(item, i) || words.settings.unnamed(i + 1);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: names are being edited; the position is the identity
          <fieldset key={i}>
            <legend className="mono">{name}</legend>
            {children(item, (changed) => onChange(items.map((old, j) => (j === i ? changed : old))), i)}
            <div className="buttons item-buttons">
              {ordered && (
                <>
                  <button
                    type="button"
                    className="btn quiet"
                    aria-label={words.settings.upLabel(name)}
                    disabled={i === 0}
                    onClick={() => swap(i, i - 1)}
                  >
                    ↑
                  </button>
                  <button
                    type="button"
                    className="btn quiet"
                    aria-label={words.settings.downLabel(name)}
                    disabled={i === items.length - 1}
                    onClick={() => swap(i, i + 1)}
                  >
                    ↓
                  </button>
                </>
              )}
              <button
                type="button"
                className="btn quiet"
                aria-label={words.settings.removeLabel(name)}
                onClick={() => onChange(items.filter((_, j) => j !== i))}
              >
                {words.settings.remove}
              </button>
            </div>
          </fieldset>
        );
      })}
      <div className="buttons">
        {adds.map(({ label, make }) => (
          <button key={label} type="button" className="btn" onClick={() => onChange([...items, make()])}>
            {label}
          </button>
        ))}
      </div>
    </div>
  );
}
