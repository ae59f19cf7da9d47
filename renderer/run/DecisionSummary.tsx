import type { Decision } from '../../shared/decision.js';
import type { RunDetail } from '../../shared/ipc.js';
import { when } from '../app/format.js';
import { EditDiff } from '../decision/EditDiff.js';
import { text as words } from '../text.js';
import { Marked } from './Marked.js';
import { OneLine } from './OneLine.js';
import { ResultText } from './ResultText.js';
import { useRun } from './run-store.js';
import { SignedBy } from './SignedBy.js';

/** What was said, by whom and when, word for word. */
export function DecisionSummary({ detail }: { detail: RunDetail }) {
  const { decision } = detail;
  if (decision === null) return null;
  return (
    <section className="decision-summary" data-testid="decision" aria-label={words.decided.title}>
      {detail.row.status === 'held' && !detail.tampered && (
        <p className="status-word warn">{words.outcome.status.held}</p>
      )}
      <h2>
        {decision.rules
          ? words.decided.byRule(decision.reviewer.name, when(decision.decidedAt), decision.rules.length)
          : words.decided.by(decision.reviewer.name, when(decision.decidedAt))}
      </h2>
      {decision.rules && (
        <p className="by-rule" data-testid="by-rule">
          <Marked text={decision.rules.map(({ name }) => name).join(', ')} />
        </p>
      )}
      <SignedBy detail={detail} />
      {decision.withdrawn && (
        <p className="warn">{words.decided.withdrawn(decision.withdrawn.by, when(decision.withdrawn.at))}</p>
      )}
      {decision.objections?.map((objection) => (
        <p key={objection.at} className="warn">
          {words.decided.objection(objection.by, when(objection.at))} <Marked text={objection.text} />
        </p>
      ))}
      {decision.step && (
        <p>
          <span className={`said ${decision.step.verdict}`}>{stepWords(decision.step.verdict, detail)}</span>{' '}
          <Marked text={decision.step.reason ?? ''} />
        </p>
      )}
      {decision.retry && (
        <p className="warn">
          {words.retry.warned} <Marked text={decision.retry.warning} />
        </p>
      )}
      <ol>
        {decision.verdicts.map((verdict) => (
          <VerdictItem key={verdict.index} verdict={verdict} detail={detail} />
        ))}
      </ol>
      {decision.repair && decision.repair.unanswered.length > 0 && (
        <p>{words.decided.repaired(decision.repair.unanswered.length)}</p>
      )}
      {decision.repair?.leftOut && <p>{words.decided.leftOut(decision.repair.leftOut.length)}</p>}
    </section>
  );
}

/** Where nothing waited for a person nothing was approved. */
function stepWords(verdict: 'approve' | 'reject', { decision, goesOn }: RunDetail): string {
  if (decision?.retry) return words.retry.decided(decision.retry.turn);
  return goesOn && verdict === 'approve' ? words.goOn.decided : words.decided.step[verdict];
}

/** What a rule said no person said. */
function decidedWords(verdict: Decision['verdicts'][number]['verdict'], { decision }: RunDetail): string {
  return decision?.rules ? words.decided.ruled[verdict] : words.decided.verdict[verdict];
}

function VerdictItem({ verdict, detail }: { verdict: Decision['verdicts'][number]; detail: RunDetail }) {
  const call = detail.calls.find((c) => c.index === verdict.index);
  const shown = useRun((s) => s.texts[verdict.index]);
  return (
    <li value={verdict.index + 1}>
      <span className={`said ${verdict.verdict}`}>{decidedWords(verdict.verdict, detail)}</span>{' '}
      <span className="mono">
        <OneLine text={call?.name ?? words.decided.unknownCall(verdict.index + 1)} />
      </span>
      {verdict.reason !== undefined && (
        <p>
          {words.decided.reason} <Marked text={verdict.reason} />
        </p>
      )}
      {verdict.answer !== undefined && (
        <div className="given">
          <p>{words.answer.given(words.answer.statuses[verdict.answer.status])}</p>
          {verdict.answer.text === '' ? (
            <p className="faint">{words.answer.empty}</p>
          ) : (
            <ResultText text={verdict.answer.text} />
          )}
        </div>
      )}
      {verdict.note !== undefined && (
        <p>
          {words.decided.note} <Marked text={verdict.note} />
        </p>
      )}
      {verdict.editedArguments !== undefined && shown?.state === 'whole' && (
        <EditDiff before={shown.text} after={verdict.editedArguments} edits={call?.edits ?? 'object'} />
      )}
    </li>
  );
}
