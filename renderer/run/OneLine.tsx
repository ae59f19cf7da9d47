import { maskSpans } from '../../shared/mask.js';
import { secretSpans } from '../../shared/secret-spans.js';
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
  const secrets = secretSpans(text);
  if (text.length <= LONGEST) return <Marked text={text} secrets={secrets} line />;
  const end = cutBefore(text, secrets);
  const more = words.marks.more(text.length - end);
  const rest = secrets.filter((span) => span.start >= end).map((span) => shifted(span, end));
  const real = maskSpans(text.slice(end), rest);
  return (
    <>
      <Marked text={text.slice(0, end)} secrets={secrets.filter((span) => span.end <= end)} line />
      {onUnfold ? (
        <button type="button" className="mark folded-run" data-real={real} onClick={onUnfold}>
          {more}
        </button>
      ) : (
        <span className="mark folded-run" data-real={real}>
          {more}
        </span>
      )}
    </>
  );
}

/** Never between the halves of a surrogate pair, and never inside a secret. */
function cutBefore(text: string, secrets: ReturnType<typeof secretSpans>): number {
  const over = secrets.find((span) => span.start < LONGEST && span.end > LONGEST);
  if (over) return over.start;
  return /[\uD800-\uDBFF]/.test(text.charAt(LONGEST - 1)) ? LONGEST - 1 : LONGEST;
}

const shifted = <T extends { start: number; end: number }>(span: T, by: number): T => ({
  ...span,
  start: span.start - by,
  end: span.end - by,
});
