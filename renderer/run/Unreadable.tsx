import type { RunDetail } from '../../shared/ipc.js';
import { size } from '../app/format.js';
import { text as words } from '../text.js';
import { Marked } from './Marked.js';
import { RawRecord } from './RawRecord.js';
import { exportRun } from './run-actions.js';

/** A record that cannot be read: why, where, its bytes, and a way to take them out. Never approvable (I5). */
export function Unreadable({ detail }: { detail: RunDetail }) {
  const { refusal, row } = detail;
  return (
    <section className="unreadable" data-testid="unreadable" aria-label={words.unreadable.title}>
      <div className="verdict unknown">
        <h1>{words.unreadable.title}</h1>
        <strong className="tag">{words.unreadable.never}</strong>
        <p>
          <Marked text={refusal?.text ?? row.note} />
        </p>
      </div>
      <dl className="fields">
        <Fact name={words.unreadable.reason} value={refusal?.code ?? null} />
        <Fact name={words.unreadable.path} value={refusal?.path || null} />
        <Fact name={words.unreadable.place} value={refusal ? words.unreadable.placeOf(refusal) : null} />
        <Fact name={words.unreadable.size} value={size(detail.size)} />
        <Fact name={words.unreadable.name} value={row.runId || row.source} />
      </dl>
      <div className="buttons">
        <button type="button" className="btn" onClick={() => void exportRun(row.id)}>
          {words.unreadable.export}
        </button>
        <span className="faint">{words.unreadable.kept}</span>
      </div>
      <RawRecord itemId={row.id} />
    </section>
  );
}

function Fact({ name, value }: { name: string; value: string | null }) {
  if (value === null || value === '') return null;
  return (
    <div className="field">
      <dt>{name}</dt>
      <dd>
        <Marked text={value} />
      </dd>
    </div>
  );
}
