import { Marked } from '../run/Marked.js';
import { OneLine } from '../run/OneLine.js';
import { text as words } from '../text.js';
import { AllForm } from './AllForm.js';
import { AnswerForm } from './AnswerForm.js';
import { ArmedPanel } from './ArmedPanel.js';
import { openAll, submitBatch } from './actions.js';
import type { Current } from './current.js';
import { useDecision } from './decision-store.js';
import { draftOf } from './drafts.js';
import { GoOnButtons } from './GoOnBar.js';
import { GuardedButton } from './GuardedButton.js';
import { useGuard } from './guard-store.js';
import { NameForm } from './NameForm.js';
import { RejectForm } from './RejectForm.js';
import { RetryButtons } from './RetryBar.js';
import { toRepair } from './repair.js';
import { SnoozeMenu } from './SnoozeMenu.js';
import { undecided } from './submission.js';
import { VerdictButtons } from './VerdictButtons.js';

/** What may be said about the call in front: one primary act at a time, nothing focused, nothing pre-selected. */
export function DecisionBar({ current }: { current: Current }) {
  const mode = useDecision((s) => s.mode);
  const busy = useDecision((s) => s.busy);
  const refused = useDecision((s) => s.refusal);
  const ready = useGuard((s) => s.ready);
  return (
    <section
      className={`decision-bar ${current.destructive ? 'destructive' : ''}`}
      data-testid="decision-bar"
      data-ready={ready && !busy}
      data-mode={mode.kind}
      aria-label={words.bar.label}
      aria-busy={busy}
    >
      {current.batch && <BatchLine current={current} />}
      {refused?.id === current.itemId && (
        <p className="refused" role="alert">
          <strong>{words.bar.notTaken}</strong> <Marked text={refused.refusal.text} />
        </p>
      )}
      {toRepair(current.detail).any && <Repair current={current} />}
      {mode.kind === 'idle' && current.callOpen && <Acts current={current} />}
      {mode.kind === 'idle' && !current.callOpen && <p className="faint">{words.bar.settled}</p>}
      {mode.kind === 'armed' && mode.by === 'page' && <ArmedPanel current={current} />}
      {mode.kind === 'rejecting' && <RejectForm current={current} />}
      {mode.kind === 'answering' && current.call && (
        <AnswerForm key={current.call.index} current={current} call={current.call} />
      )}
      {mode.kind === 'editing' && <p className="faint">{words.edit.inCard}</p>}
      {mode.kind === 'snoozing' && (
        <SnoozeMenu itemId={current.itemId} snoozedUntil={current.detail.row.snoozedUntil} />
      )}
      {mode.kind === 'naming' && <NameForm />}
      {mode.kind === 'all' && <AllForm current={current} verdict={mode.verdict} />}
    </section>
  );
}

function Acts({ current }: { current: Current }) {
  const { retry } = current.detail;
  if (current.ask === 'retry' && retry !== undefined) return <RetryButtons current={current} retry={retry} />;
  return current.ask === 'go_on' ? <GoOnButtons current={current} /> : <VerdictButtons current={current} />;
}

function BatchLine({ current }: { current: Current }) {
  const left = undecided(current.detail, current.drafts);
  return (
    <div className="batch-line">
      <span role="status">
        {words.batch.states(current.open.map((call) => [call.index + 1, draftOf(current.drafts, call).verdict]))}
      </span>
      <span className="spacer" />
      {left.length > 1 && (
        <>
          <GuardedButton className="link" testId="approve-all" onGesture={(gesture) => openAll(gesture, 'approve')}>
            {words.bar.approveAll}
          </GuardedButton>
          <GuardedButton className="link" testId="reject-all" onGesture={(gesture) => openAll(gesture, 'reject')}>
            {words.bar.rejectAll}
          </GuardedButton>
        </>
      )}
      <GuardedButton className="btn" testId="submit" off={left.length > 0} keys={['submit']} onGesture={submitBatch}>
        {words.batch.submit(current.open.length)}
      </GuardedButton>
    </div>
  );
}

function Repair({ current }: { current: Current }) {
  const setRepair = useDecision((s) => s.setRepair);
  const { calls, answers } = toRepair(current.detail);
  const { unanswered, strays = [] } = current.detail;
  const names = [...unanswered.map((call) => call.name), ...strays.map(({ text }) => text)].join(', ');
  return (
    <label className="repair">
      <input
        type="checkbox"
        checked={current.repair}
        onChange={(event) => setRepair(current.itemId, event.target.checked)}
      />
      <span>
        {words.bar.repair(calls, answers)} <OneLine text={names} />
      </span>
    </label>
  );
}
