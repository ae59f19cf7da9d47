import { secretSpans } from '../../shared/secret-spans.js';
import { count } from '../app/format.js';
import { text as words } from '../text.js';
import { lineCount } from './fields.js';
import { Marked } from './Marked.js';

const NAMES = /^(?:command|cmd|script|shell|shell_?command|command_?line|bash|run)$/i;

/** Is a field of this name a command that a shell gets? */
export const isCommand = (name: string | null): boolean => name !== null && NAMES.test(name);

/** A command of one line as a shell would get it: whole, wrapped, with its length, so that no tail is missed (C57). */
export function CommandText({ value, name }: { value: string; name: string | null }) {
  return (
    <div className="command" data-testid="command">
      <span className="prompt" aria-hidden="true" data-gutter>
        ${' '}
      </span>
      <span className="token string" data-kind="string">
        <Marked text={value} secrets={secretSpans(value, name)} reveal />
      </span>
      <span className="faint length" data-gutter>
        {words.args.length(count(value.length), lineCount(value))}
      </span>
    </div>
  );
}
