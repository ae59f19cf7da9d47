import type { Warning } from '../../shared/checkpoint.js';
import { text as words } from '../text.js';
import { Marked } from './Marked.js';

/** What the reviewer must know, each with the place it points at. */
export function Warnings({ warnings }: { warnings: readonly Warning[] }) {
  if (warnings.length === 0) return null;
  return (
    <section className="warnings" data-testid="warnings" aria-label={words.warnings.title(warnings.length)}>
      {warnings.map((warning) => (
        <p key={`${warning.code}\n${warning.path}\n${warning.text}`} className={warning.blocksApproval ? 'blocks' : ''}>
          <strong>{words.warnings.code(warning.code)}</strong>
          <span>
            <Marked text={warning.text} />
            {warning.path !== '' && (
              <span className="mono faint path">
                {' '}
                <Marked text={warning.path} />
              </span>
            )}
            {warning.blocksApproval && <em> {words.warnings.blocks}</em>}
          </span>
        </p>
      ))}
    </section>
  );
}
