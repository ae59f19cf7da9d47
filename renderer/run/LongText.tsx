import { useEffect, useMemo, useState } from 'react';
import { text as words } from '../text.js';
import { rowOfWarning } from './jump-row.js';
import { PageTurner } from './PageTurner.js';
import { ReachEnd } from './ReachEnd.js';
import { secretsOfPage, secretsOfRow } from './row-secrets.js';
import { TextRowView } from './TextRowView.js';
import { pagesOf, rowsOf, type TextPage } from './text-lines.js';
import { VirtualRows } from './VirtualRows.js';

/** Above this many rows only those near the window's view are in the page. */
const VIRTUAL_ABOVE = 300;
const FIRST: TextPage = { start: 0, end: 0, line: 1, fresh: true };

interface Props {
  text: string;
  /** Names the region for a screen reader. */
  label: string;
  /** The field that the text is the value of: some names say that their value is a secret. */
  name?: string | null;
  /** Bounded regions scroll by themselves; others grow with their text. */
  bounded?: boolean;
  /** Code of a warning that was followed here: the first row that it may mean comes into view. */
  jump?: string | null;
  onReached?: () => void;
}

/** Text of any length with line numbers, wrapped, nothing cut: page by page where it is very long. */
export function LongText({ text, label, name = null, bounded = false, jump = null, onReached }: Props) {
  const pages = useMemo(() => pagesOf(text), [text]);
  const [turned, setTurned] = useState(0);
  const at = Math.min(turned, pages.length - 1);
  const page = pages[at] ?? FIRST;
  const rows = useMemo(() => rowsOf(text, page), [text, page]);
  const secrets = useMemo(() => secretsOfPage(text, page, name), [text, page, name]);
  const pointed = useMemo(() => (jump === null ? -1 : rowOfWarning(jump, rows)), [jump, rows]);
  // The warning may mean another page: the first one that holds such a thing.
  useEffect(() => {
    if (jump === null || pages.length === 1) return;
    const first = pages.findIndex((one) => rowOfWarning(jump, [{ text: text.slice(one.start, one.end) }]) >= 0);
    if (first >= 0) setTurned(first);
  }, [jump, pages, text]);
  const isLast = at === pages.length - 1;
  const rowView = (i: number) => {
    const row = rows[i];
    return row && <TextRowView row={row} secrets={secretsOfRow(secrets, row)} pointed={i === pointed} />;
  };
  const turner = pages.length > 1 && <PageTurner at={at} pages={pages} length={text.length} onTurn={setTurned} />;
  const end = onReached && isLast && <ReachEnd onReached={onReached} />;
  if (rows.length > VIRTUAL_ABOVE)
    return (
      <>
        {turner}
        <VirtualRows key={at} rows={rows} row={rowView} label={label} pointed={pointed} end={end} />
        {turner}
      </>
    );
  // Rows of one text never move: their position is their identity.
  // biome-ignore lint/suspicious/noArrayIndexKey: see above
  const body = rows.map((_, i) => <div key={i}>{rowView(i)}</div>);
  if (!bounded && pages.length === 1)
    return (
      <div className="long-text" data-exact>
        {body}
        {end}
      </div>
    );
  return (
    <>
      {turner}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className="long-text bounded" aria-label={label || words.args.value} tabIndex={0} data-exact>
        {body}
        {end}
      </section>
      {turner}
    </>
  );
}
