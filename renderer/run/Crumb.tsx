import type { RunDetail } from '../../shared/ipc.js';
import { shortName, span } from '../app/format.js';
import { useUi } from '../app/ui-store.js';
import { type Drafts, draftOf } from '../decision/drafts.js';
import { text as words } from '../text.js';
import { OneLine } from './OneLine.js';
import { said } from './said.js';

interface Props {
  detail: RunDetail;
  at: number;
  drafts: Drafts | undefined;
  now: number;
  onGoTo: (at: number) => void;
}

/** Where this call stands: source, run, step, time left, and its siblings with what is meant for each. */
export function Crumb({ detail, at, drafts, now, onGoTo }: Props) {
  const { row, calls } = detail;
  return (
    <div className="crumb">
      <span>
        <OneLine text={row.source} />
      </span>
      <span className="mono" title={said(row.runId)}>
        <OneLine text={shortName(row.runId)} />
      </span>
      {row.step !== null && <span>{words.step(row.step)}</span>}
      {row.expiresAt !== null && <span className="num">{words.timeLeft(Date.parse(row.expiresAt) - now, span)}</span>}
      <button type="button" className="link open-side" onClick={() => useUi.getState().toggleSide('conversation')}>
        {words.side.open}
      </button>
      {calls.length > 1 && (
        <ul className="siblings" aria-label={words.batch.siblings(calls.length)}>
          {calls.map((call, i) => {
            const verdict = verdictWord(detail, i, drafts);
            return (
              <li key={call.index}>
                <button
                  type="button"
                  className={`sibling ${verdict}`}
                  aria-current={i === at ? 'true' : undefined}
                  aria-label={words.batch.sibling(call.index + 1, said(call.name), verdict)}
                  title={words.batch.sibling(call.index + 1, said(call.name), verdict)}
                  onClick={() => onGoTo(i)}
                >
                  {call.index + 1}
                  <span aria-hidden="true">{words.batch.sign[verdict]}</span>
                </button>
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}

/** What is said or meant for one call of the batch. */
function verdictWord(
  detail: RunDetail,
  i: number,
  drafts: Drafts | undefined,
): 'open' | 'approve' | 'reject' | 'answered' {
  const call = detail.calls[i];
  if (!call) return 'open';
  if (call.answered) return 'answered';
  const decided =
    detail.row.status === 'waiting' ? undefined : detail.decision?.verdicts.find((v) => v.index === call.index);
  const verdict = decided?.verdict ?? draftOf(drafts, call).verdict ?? 'open';
  return verdict === 'answer' ? 'answered' : verdict;
}
