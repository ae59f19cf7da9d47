import { memo } from 'react';
import { type SecretSpan, secretSpans } from '../../shared/secret-spans.js';
import { text as words } from '../text.js';
import { type Piece, pieces } from './marked.js';
import { SecretMark } from './SecretMark.js';

interface Props {
  text: string;
  /** A place of one line, where line breaks and tabs are marks as well. */
  line?: boolean;
  /** A masked secret can be revealed here; only where a button may stand. */
  reveal?: boolean;
  /** The secrets in the text, where they are known from more than this text alone. */
  secrets?: readonly SecretSpan[];
}

/**
 * Text that comes from outside: never as markup, isolated from the direction of what stands around it, with every
 * character that nobody would see as a named mark, and its secrets masked (I10).
 */
export const Marked = memo(function Marked({ text, line = false, reveal = false, secrets }: Props) {
  return (
    <bdi className="marked">
      {pieces(text, line, secrets ?? secretSpans(text)).map((piece, i) => (
        // Pieces of one text never move: their position is their identity.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <PieceView key={i} piece={piece} reveal={reveal} />
      ))}
    </bdi>
  );
});

function PieceView({ piece, reveal }: { piece: Piece; reveal: boolean }) {
  if (piece.kind === 'plain') return piece.real;
  if (piece.kind === 'secret') {
    if (reveal) return <SecretMark piece={piece} shown={(real) => <Marked text={real} secrets={[]} line />} />;
    return <span className="mark secret">{piece.label}</span>;
  }
  const label = piece.kind === 'mark' ? piece.label : words.marks[piece.what](piece.count);
  return (
    <span className={piece.kind === 'mark' ? 'mark' : 'mark folded-run'} data-real={piece.real}>
      {label}
      {piece.kind === 'folded' && piece.what === 'blank_lines' && '\n'}
    </span>
  );
}
