import { useEffect, useMemo, useState } from 'react';
import { size } from '../app/format.js';
import { text as words } from '../text.js';
import { decodeHead, type Encoded, encodedOf, textIn } from './base64.js';
import { LongText } from './LongText.js';
import { Marked } from './Marked.js';
import { mayDraw, type Size, sizeOf } from './picture.js';

/** So much of a decoded text is shown. */
const MOST_TEXT = 1024 * 1024;

/** What base64 text holds, by its content and not by its name. Nothing is decoded into the page but by an act. */
export function EncodedValue({ value }: { value: string }) {
  const encoded = useMemo(() => encodedOf(value), [value]);
  return encoded === null || encoded.bytes === 0 ? null : <Holds encoded={encoded} />;
}

interface Real {
  mime: string;
  size: Size | null;
  isText: boolean;
}

function Holds({ encoded }: { encoded: Encoded }) {
  const [real, setReal] = useState<Real | null>(null);
  const [open, setOpen] = useState(false);
  useEffect(() => {
    let current = true;
    setReal(null);
    setOpen(false);
    const head = decodeHead(encoded);
    void realType(head).then((mime) => {
      const isText = mime === null && textIn(head, head.length < encoded.bytes) !== null;
      const known = mime ?? (isText ? 'text/plain' : 'application/octet-stream');
      if (current) setReal({ mime: known, size: sizeOf(known, head), isText });
    });
    return () => {
      current = false;
    };
  }, [encoded]);
  if (real === null) return null;
  const { declared } = encoded;
  const isOther = declared !== null && declared.split(';')[0]?.toLowerCase() !== real.mime;
  const notDrawn = mayDraw(real.mime, encoded.bytes, real.size);
  return (
    <div className="encoded" data-testid="encoded">
      <span>
        {words.encoded.holds(size(encoded.bytes), words.encoded.kind(real.mime))}
        {real.size && ` · ${words.encoded.pixels(real.size.width, real.size.height)}`}
      </span>
      {isOther && (
        <span className="warn">
          {' '}
          {words.encoded.declared} <Marked text={declared === '' ? 'text/plain' : declared} line />
        </span>
      )}{' '}
      {encoded.isWhole && (real.isText || notDrawn === null) && (
        <button type="button" className="link" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? words.encoded.hide : real.isText ? words.encoded.showText : words.encoded.showPicture}
        </button>
      )}
      {real.mime.startsWith('image/') && notDrawn !== null && (
        <span className="faint">{words.encoded.notDrawn[notDrawn]}</span>
      )}
      {open && real.isText && <DecodedText encoded={encoded} />}
      {open && !real.isText && notDrawn === null && (
        <img
          className="decoded-picture"
          alt={words.encoded.picture}
          src={`data:${real.mime};base64,${encoded.letters}`}
        />
      )}
    </div>
  );
}

function DecodedText({ encoded }: { encoded: Encoded }) {
  const text = useMemo(() => {
    const bytes = decodeHead(encoded, Math.min(encoded.bytes, MOST_TEXT));
    return textIn(bytes, bytes.length < encoded.bytes);
  }, [encoded]);
  if (text === null) return <p className="faint">{words.encoded.noText}</p>;
  return (
    <>
      {encoded.bytes > MOST_TEXT && <p className="faint">{words.encoded.first(size(MOST_TEXT))}</p>}
      <LongText text={text} label={words.encoded.decoded} bounded />
    </>
  );
}

async function realType(head: Uint8Array<ArrayBuffer>): Promise<string | null> {
  // Loaded when the first such value is met.
  const { fileTypeFromBuffer } = await import('file-type');
  return (await fileTypeFromBuffer(head))?.mime ?? null;
}
