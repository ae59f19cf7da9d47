import { memo } from 'react';
import { text as words } from '../text.js';
import { type Piece, pieces } from './marked.js';

/**
 * Text that comes from outside: never as markup, isolated from the direction of what stands around it, with every
 * character that nobody would see as a named mark (I10).
 */
export const Marked = memo(function Marked({ text, line = false }: { text: string; line?: boolean }) {
  return (
    <bdi className="marked">
      {pieces(text, line).map((piece, i) => (
        // Pieces of one text never move: their position is their identity.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <PieceView key={i} piece={piece} />
      ))}
    </bdi>
  );
});

function PieceView({ piece }: { piece: Piece }) {
  if (piece.kind === 'plain') return piece.real;
  const label = piece.kind === 'mark' ? piece.label : words.marks[piece.what](piece.count);
  return (
    <span className={piece.kind === 'mark' ? 'mark' : 'mark folded-run'} data-real={piece.real}>
      {label}
      {piece.kind === 'folded' && piece.what === 'blank_lines' && '\n'}
    </span>
  );
}
