import { useEffect, useMemo, useState } from 'react';
import { childPath } from '../../shared/json-path.js';
import { count, size } from '../app/format.js';
import { text as words } from '../text.js';
import { Digest } from './Digest.js';
import { EncodedValue } from './EncodedValue.js';
import { type Field, lineCount } from './fields.js';
import { JsonInString } from './JsonInString.js';
import { JumpBack } from './JumpBack.js';
import { argumentSpot, useJump } from './jump.js';
import { LongText } from './LongText.js';
import { useLaidOut } from './laid-out.js';
import { Marked } from './Marked.js';
import { said } from './said.js';
import { shortKey } from './short-key.js';

interface Props {
  source: string;
  field: Field;
  reached: boolean;
  onReached: () => void;
}

/** A field too big to be read at a glance: folded with its size, opened on demand, read to its end before Approve. */
export function LongField({ source, field, reached, onReached }: Props) {
  const [open, setOpen] = useState(false);
  const spot = argumentSpot(field.key === null ? '' : childPath('', field.key));
  const jump = useJump((s) => (s.at === spot ? s.code : null));
  useEffect(() => {
    if (jump !== null) setOpen(true);
  }, [jump]);
  const { node, key } = field;
  const name = key === null ? words.args.wholeValue : shortKey(key);
  const text = node.kind === 'string' ? node.value : source.slice(node.start, node.end);
  const lines = useMemo(() => lineCount(text), [text]);
  return (
    <section
      className="long-field"
      data-reached={reached}
      data-path={field.key === null ? undefined : childPath('', field.key)}
    >
      <header>
        <button type="button" className="link" aria-expanded={open} onClick={() => setOpen(!open)}>
          <span aria-hidden="true">{open ? '▾' : '▸'}</span> <Marked text={name} />
        </button>
        <span className="faint">
          {words.args.longSize(node.kind, count(lines), count(text.length), size(text.length))}
        </span>
        <Digest text={text} />
        <JumpBack spot={spot} />
        <span className={reached ? 'ok' : 'warn'}>{reached ? words.args.reached : words.args.notReached}</span>
      </header>
      {open && <Body source={source} field={field} text={text} name={name} jump={jump} onReached={onReached} />}
    </section>
  );
}

function Body({
  source,
  field: { node, key },
  text,
  name,
  jump,
  onReached,
}: Omit<Props, 'reached'> & { text: string; name: string; jump: string | null }) {
  const value = useLaidOut(source, node);
  if (value === null) return <p className="args-note">{words.loading}</p>;
  // A key that was cut in the heading stands here whole, before its value.
  const whole = key !== null && shortKey(key) !== key ? `${key}\n${value}` : value;
  return (
    <>
      <LongText
        text={whole}
        label={words.args.longLabel(said(name))}
        name={node.kind === 'string' ? key : null}
        bounded
        jump={jump}
        onReached={onReached}
      />
      {node.kind === 'string' && <JsonInString value={text} />}
      {node.kind === 'string' && <EncodedValue value={text} />}
    </>
  );
}
