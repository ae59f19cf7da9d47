import type { RunDetail } from '../../shared/ipc.js';
import { text as words } from '../text.js';
import { Marked } from './Marked.js';

/** Where the record stands, in the words of its own system; and why it only goes on elsewhere, if so. */
export function OwnWords({ detail }: { detail: RunDetail }) {
  const { row, classification, onlyHandedOver } = detail;
  if (classification === undefined && onlyHandedOver === undefined) return null;
  return (
    <section className={row.other ? 'own-words other' : 'own-words'} aria-label={words.own.label(row.system)}>
      {classification !== undefined && (
        <p data-testid="classification">
          <span className="system">{row.system}</span>{' '}
          <strong>
            <Marked text={classification} />
          </strong>
        </p>
      )}
      {onlyHandedOver !== undefined && (
        <p className="elsewhere" data-testid="only-handed-over">
          {words.own.onlyHandedOver} <Marked text={onlyHandedOver} />
        </p>
      )}
    </section>
  );
}
