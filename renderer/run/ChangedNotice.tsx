import type { RunDetail } from '../../shared/ipc.js';
import { diffTexts } from '../decision/diff.js';
import { DiffView } from '../decision/EditDiff.js';
import { text as words } from '../text.js';
import { Marked } from './Marked.js';
import { useRun } from './run-store.js';

/** The record moved under the reviewer's eyes: what they had read, and what is there now. Nothing stays armed. */
export function ChangedNotice({ detail }: { detail: RunDetail }) {
  const change = useRun((s) => s.change);
  const texts = useRun((s) => s.texts);
  const dismiss = useRun((s) => s.dismissChange);
  if (change === null) return null;
  const count = Math.max(detail.calls.length, change.before.calls.length);
  const positions = Array.from({ length: count }, (_, i) => i);
  return (
    <section className="changed" role="alert" aria-label={words.changed.title}>
      <header>
        <strong>{words.changed.title}</strong>
        <button type="button" className="link" onClick={dismiss}>
          {words.changed.dismiss}
        </button>
      </header>
      <p>{words.changed.words}</p>
      {positions.map((i) => {
        const before = change.before.calls[i];
        const after = detail.calls[i];
        if (before?.argumentsSha256 === after?.argumentsSha256 && before?.name === after?.name) return null;
        const beforeText = before ? (change.beforeTexts[before.index]?.text ?? before.argumentsText) : '';
        const afterText = after ? (texts[after.index]?.text ?? after.argumentsText) : '';
        return (
          <div key={i}>
            <h3>
              {words.changed.call(i + 1)} <Marked text={before?.name ?? words.changed.absent} />
              {before?.name !== after?.name && (
                <>
                  {' → '}
                  <Marked text={after?.name ?? words.changed.absent} />
                </>
              )}
            </h3>
            <DiffView lines={diffTexts(beforeText, afterText)} />
          </div>
        );
      })}
    </section>
  );
}
