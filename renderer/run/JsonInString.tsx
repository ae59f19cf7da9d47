import { useEffect, useState } from 'react';
import { readJsonSteps, readJsonText } from '../../shared/json.js';
import { inSlices } from '../app/slices.js';
import { text as words } from '../text.js';
import { isLong, LONG_UNITS } from './fields.js';
import { LongText } from './LongText.js';
import { prettySteps } from './pretty.js';

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
  const decoded = useDecoded(value);
  if (decoded === 'reading') return <p className="args-note">{words.loading}</p>;
  if (decoded === null) return <p className="faint">{words.args.notDecodable}</p>;
  return <LongText text={decoded.text} label={words.args.decoded} bounded={decoded.long} />;
}

/** Longer texts are read and laid out in steps. */
const AT_ONCE = 64 * 1024;

type Laid = { text: string; long: boolean } | null;

/** What a string holds as JSON, laid out; null where it holds none. */
function useDecoded(value: string): Laid | 'reading' {
  const [decoded, setDecoded] = useState<{ value: string; laid: Laid } | null>(() => atOnce(value));
  useEffect(() => {
    const now = atOnce(value);
    setDecoded(now);
    if (now !== null) return;
    let current = true;
    void inSlices(decodeSteps(value)).then((laid) => {
      if (current) setDecoded({ value, laid });
    });
    return () => {
      current = false;
    };
  }, [value]);
  return decoded?.value === value ? decoded.laid : 'reading';
}

function atOnce(value: string): { value: string; laid: Laid } | null {
  if (value.length > AT_ONCE) return null;
  for (const steps = decodeSteps(value); ; ) {
    const step = steps.next();
    if (step.done) return { value, laid: step.value };
  }
}

function* decodeSteps(value: string): Generator<undefined, Laid> {
  const read = yield* readJsonSteps(value);
  if (!read.ok) return null;
  const lines = yield* prettySteps(read.text, read.root);
  return { text: lines.join('\n'), long: isLong(read.root) };
}
