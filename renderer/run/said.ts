import { pieces } from './marked.js';

const LONGEST = 120;

/**
 * Outside text as a plain string for places that take no elements (labels, titles, messages): what nobody would see is
 * written out, and a long one is cut.
 */
export function said(text: string): string {
  const written = pieces(text, true)
    .map((piece) => {
      if (piece.kind === 'plain') return piece.real;
      if (piece.kind === 'secret') return piece.label;
      return piece.kind === 'mark' ? `[${piece.label}]` : ' […] ';
    })
    .join('');
  return written.length > LONGEST ? `${written.slice(0, LONGEST)}…` : written;
}
