import { text as words } from '../text.js';

interface Props<T extends string> {
  label: string;
  /** Null: nothing is chosen, all are shown. */
  value: T | null;
  options: readonly T[];
  word: (option: T) => string;
  onChange: (value: T | null) => void;
}

/** One filter: none, or one of these. What is chosen stays to choose even where nothing has it any more. */
export function Choice<T extends string>({ label, value, options, word, onChange }: Props<T>) {
  const all = value === null || options.includes(value) ? options : [value, ...options];
  return (
    <label>
      {label}
      <select
        value={value ?? ''}
        onChange={(event) => onChange(all.find((option) => option === event.target.value) ?? null)}
      >
        <option value="">{words.filter.any}</option>
        {all.map((option) => (
          <option key={option} value={option}>
            {word(option)}
          </option>
        ))}
      </select>
    </label>
  );
}
