import { useState } from 'react';
import { AreaField } from './fields.js';

interface Props<T> {
  label: string;
  hint: string;
  value: T;
  print: (value: T) => string;
  parse: (text: string) => T;
  onChange: (value: T) => void;
}

/** Something that is written over lines. What is typed stays as typed while it means the same. */
export function LinesField<T>({ label, hint, value, print, parse, onChange }: Props<T>) {
  const [typed, setTyped] = useState(() => print(value));
  const shown = print(parse(typed)) === print(value) ? typed : print(value);
  return (
    <AreaField
      label={label}
      hint={hint}
      mono
      value={shown}
      onChange={(text) => {
        setTyped(text);
        onChange(parse(text));
      }}
    />
  );
}
