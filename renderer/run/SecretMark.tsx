import { type ReactNode, useEffect, useState } from 'react';
import { text as words } from '../text.js';
import type { Piece } from './marked.js';

/** A revealed secret goes out of sight again after this long. */
const SHOWN_MS = 30_000;

/** One masked secret: shown only by an act of its own, for a while, and in this place alone. */
export function SecretMark({
  piece,
  shown,
}: {
  piece: Extract<Piece, { kind: 'secret' }>;
  shown: (real: string) => ReactNode;
}) {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    if (!open) return;
    const timer = setTimeout(() => setOpen(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [open]);
  return (
    <span className="secret-place">
      {open && shown(piece.real)}
      <button
        type="button"
        className="mark secret"
        data-testid="secret"
        data-gutter={open ? '' : undefined}
        aria-expanded={open}
        title={open ? words.marks.hideSecret : words.marks.revealSecret}
        onClick={() => setOpen(!open)}
      >
        {open ? words.marks.hideSecret : piece.label}
      </button>
    </span>
  );
}
