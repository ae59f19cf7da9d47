import { text as words } from '../text.js';
import { Marked } from './Marked.js';

/** Longer than this a name is cut: it must not push what follows it out of sight. */
const LONGEST = 200;

interface Props {
  text: string;
  /** Unfolds what was cut; without it only its length is said. */
  onUnfold?: () => void;
}

/** Outside text in a place of one line: line breaks and tabs are marks, so that it cannot look like lines of ours. */
export function OneLine({ text, onUnfold }: Props) {
  if (text.length <= LONGEST) return <Marked text={text} line />;
  // Never between the halves of a surrogate pair.
  const end = /[\uD800-\uDBFF]/.test(text.charAt(LONGEST - 1)) ? LONGEST - 1 : LONGEST;
  const more = words.marks.more(text.length - end);
  return (
    <>
      <Marked text={text.slice(0, end)} line />
      {onUnfold ? (
        <button type="button" className="mark folded-run" data-real={text.slice(end)} onClick={onUnfold}>
          {more}
        </button>
      ) : (
        <span className="mark folded-run" data-real={text.slice(end)}>
          {more}
        </span>
      )}
    </>
  );
}
