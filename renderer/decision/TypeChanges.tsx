import { Marked } from '../run/Marked.js';
import { text as words } from '../text.js';

interface Props {
  changes: readonly string[];
  confirmed: boolean;
  onConfirm: (confirmed: boolean) => void;
}

/** Values whose JSON type the edit changes: each is named, and all of them are confirmed or undone. */
export function TypeChanges({ changes, confirmed, onConfirm }: Props) {
  return (
    <fieldset className="type-changes" data-testid="type-changes">
      <legend>{words.edit.types(changes.length)}</legend>
      <ul>
        {changes.map((change) => (
          <li key={change} className="mono">
            <Marked text={change} />
          </li>
        ))}
      </ul>
      <label>
        <input type="checkbox" checked={confirmed} onChange={(event) => onConfirm(event.target.checked)} />{' '}
        {words.edit.confirmTypes(changes.length)}
      </label>
    </fieldset>
  );
}
