import { count } from '../app/format.js';
import { text as words } from '../text.js';
import type { TextPage } from './text-lines.js';

interface Props {
  at: number;
  pages: readonly TextPage[];
  length: number;
  onTurn: (at: number) => void;
}

/** From part to part of a text that is too long to be laid out at once. */
export function PageTurner({ at, pages, length, onTurn }: Props) {
  const page = pages[at];
  const last = pages.length - 1;
  return (
    <nav className="page-turner" aria-label={words.pages.label}>
      <button type="button" className="link" disabled={at === 0} onClick={() => onTurn(at - 1)}>
        {words.pages.previous}
      </button>
      <span className="faint num" role="status">
        {words.pages.at(at + 1, pages.length, count(page?.end ?? 0), count(length))}
      </span>
      <button type="button" className="link" disabled={at === last} onClick={() => onTurn(at + 1)}>
        {words.pages.next}
      </button>
      <button type="button" className="link" disabled={at === last} onClick={() => onTurn(last)}>
        {words.pages.last}
      </button>
    </nav>
  );
}
