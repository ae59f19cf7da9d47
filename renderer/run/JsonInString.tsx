import { useState } from 'react';
import { readJsonText } from '../../shared/json.js';
import { text as words } from '../text.js';
import { isLong, LONG_UNITS } from './fields.js';
import { LongText } from './LongText.js';
import { prettyLines } from './pretty.js';

/** JSON text inside a string, unfolded on demand; the tool gets the string. */
export function JsonInString({ value }: { value: string }) {
  const [open, setOpen] = useState(false);
  if (!/^\s*[{[]/.test(value)) return null;
  // A short one is tried at once, so that nothing is offered that cannot be shown.
  if (value.length <= LONG_UNITS && !readJsonText(value).ok) return null;
  return (
    <div className="json-in-string">
      <button type="button" className="link" aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? words.args.hideDecoded : words.args.showDecoded}
      </button>
      {open && <Decoded value={value} />}
    </div>
  );
}

function Decoded({ value }: { value: string }) {
  const read = readJsonText(value);
  if (!read.ok) return <p className="faint">{words.args.notDecodable}</p>;
  const text = prettyLines(read.text, read.root).join('\n');
  return <LongText text={text} label={words.args.decoded} bounded={isLong(read.root)} />;
}
