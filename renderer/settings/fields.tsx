import { type ReactNode, useId } from 'react';

interface Labelled {
  label: string;
  hint?: string;
}

function Field({ label, hint, children }: Labelled & { children: (id: string, hintId: string) => ReactNode }) {
  const id = useId();
  return (
    <div className="setting">
      <label htmlFor={id}>{label}</label>
      {children(id, `${id}-hint`)}
      {hint !== undefined && (
        <span className="faint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </div>
  );
}

type TextProps = Labelled & {
  value: string;
  onChange: (value: string) => void;
  mono?: boolean;
  placeholder?: string;
  type?: 'text' | 'time';
};

export function TextField({ label, hint, value, onChange, mono, placeholder, type = 'text' }: TextProps) {
  return (
    <Field label={label} {...(hint !== undefined && { hint })}>
      {(id, hintId) => (
        <input
          id={id}
          type={type}
          className={mono ? 'mono' : ''}
          aria-describedby={hint === undefined ? undefined : hintId}
          placeholder={placeholder}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

/** Several lines of text; `rows` high. */
export function AreaField({ label, hint, value, onChange, mono, rows = 3 }: TextProps & { rows?: number }) {
  return (
    <Field label={label} {...(hint !== undefined && { hint })}>
      {(id, hintId) => (
        <textarea
          id={id}
          rows={rows}
          className={mono ? 'mono' : ''}
          aria-describedby={hint === undefined ? undefined : hintId}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

export function NumberField({
  label,
  hint,
  value,
  onChange,
  min = 0,
  step = 1,
}: Labelled & { value: number; onChange: (value: number) => void; min?: number; step?: number | 'any' }) {
  return (
    <Field label={label} {...(hint !== undefined && { hint })}>
      {(id, hintId) => (
        <input
          id={id}
          type="number"
          min={min}
          step={step}
          aria-describedby={hint === undefined ? undefined : hintId}
          value={Number.isNaN(value) ? '' : value}
          onChange={(event) => onChange(event.target.valueAsNumber)}
        />
      )}
    </Field>
  );
}

export function SelectField<T extends string>({
  label,
  hint,
  value,
  options,
  onChange,
}: Labelled & { value: T; options: readonly (readonly [T, string])[]; onChange: (value: T) => void }) {
  return (
    <Field label={label} {...(hint !== undefined && { hint })}>
      {(id) => (
        <select
          id={id}
          value={value}
          onChange={(event) => {
            const chosen = options.find(([option]) => option === event.target.value);
            if (chosen) onChange(chosen[0]);
          }}
        >
          {options.map(([option, words]) => (
            <option key={option} value={option}>
              {words}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

export function CheckField({
  label,
  hint,
  value,
  onChange,
}: Labelled & { value: boolean; onChange: (value: boolean) => void }) {
  const id = useId();
  return (
    <div className="setting check">
      <input id={id} type="checkbox" checked={value} onChange={(event) => onChange(event.target.checked)} />
      <label htmlFor={id}>{label}</label>
      {hint !== undefined && <span className="faint">{hint}</span>}
    </div>
  );
}
