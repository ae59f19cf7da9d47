import type { Warning } from '../../shared/checkpoint.js';
import type { CallView } from '../../shared/ipc.js';
import { text as words } from '../text.js';
import { jumpTo } from './jump.js';
import { Marked } from './Marked.js';

/** What the reviewer must know, each with the place it points at, and the way there. */
export function Warnings({ warnings, call }: { warnings: readonly Warning[]; call: CallView | null }) {
  if (warnings.length === 0) return null;
  return (
    <section className="warnings" data-testid="warnings" aria-label={words.warnings.title(warnings.length)}>
      {warnings.map((warning) => (
        <p
          key={`${warning.code}\n${warning.path}\n${warning.text}`}
          className={warning.blocksApproval ? 'blocks' : ''}
          data-code={warning.code}
        >
          <strong>{words.warnings.code(warning.code)}</strong>
          <span>
            <Marked text={warning.text} />
            {warning.path !== '' && (
              <>
                {' '}
                <button
                  type="button"
                  className="link mono path"
                  title={words.warnings.goThere}
                  onClick={(event) => jumpTo(warning, call, event.currentTarget)}
                >
                  <Marked text={warning.path} />
                </button>
              </>
            )}
            {warning.blocksApproval && <em> {words.warnings.blocks}</em>}
          </span>
        </p>
      ))}
    </section>
  );
}
