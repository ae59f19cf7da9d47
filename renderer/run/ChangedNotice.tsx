import type { RunDetail } from '../../shared/ipc.js';
import { text as words } from '../text.js';
import { CallDiffs } from './CallDiffs.js';
import { FactChanges } from './FactChanges.js';
import { factChanges } from './fact-changes.js';
import { isAnother, useRun } from './run-store.js';

/** The record, or what would come of it, moved under the reviewer's eyes: what they had read, and what is there now. Nothing stays armed. */
export function ChangedNotice({ detail }: { detail: RunDetail }) {
  const change = useRun((s) => s.change);
  const texts = useRun((s) => s.texts);
  const dismiss = useRun((s) => s.dismissChange);
  if (change === null) return null;
  const { before } = change;
  return (
    <section className="changed" role="alert" aria-label={words.changed.title}>
      <header>
        <strong>{words.changed.title}</strong>
        <button type="button" className="link" onClick={dismiss}>
          {words.changed.dismiss}
        </button>
      </header>
      <p>{isAnother(before, detail) ? words.changed.words : words.changed.facts}</p>
      <FactChanges changes={factChanges(saidOf(before), saidOf(detail))} />
      <CallDiffs
        before={before.calls}
        after={detail.calls}
        textBefore={(call) => change.beforeTexts[call.index]?.text ?? call.argumentsText}
        textAfter={(call) => texts[call.index]?.text ?? call.argumentsText}
      />
    </section>
  );
}

const saidOf = ({ row, calls }: RunDetail) => ({ route: row.route, calls });
