import type { SecretSpan } from '../../shared/secret-spans.js';
import { text as words } from '../text.js';
import { Marked } from './Marked.js';
import type { TextRow } from './text-lines.js';

interface Props {
  row: TextRow;
  secrets: readonly SecretSpan[];
  /** A warning that was followed means this row. */
  pointed: boolean;
}

export function TextRowView({ row, secrets, pointed }: Props) {
  return (
    <div className={pointed ? 'text-row pointed' : 'text-row'} data-line={row.ends ? 'ends' : 'goes-on'}>
      <span className="gutter" aria-hidden="true" data-gutter>
        {row.number ?? ''}
      </span>
      {row.blankLines === undefined ? (
        <span className="text-row-body">
          <Marked text={row.text} secrets={secrets} reveal />
        </span>
      ) : (
        <span className="mark folded-run" data-real={row.text}>
          {words.marks.blank_lines(row.blankLines)}
        </span>
      )}
    </div>
  );
}
