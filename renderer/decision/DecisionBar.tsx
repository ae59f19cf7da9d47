import { Marked } from '../run/Marked.js';
import { said } from '../run/said.js';
import { text as words } from '../text.js';
import { AllForm } from './AllForm.js';
import { ApproveNote } from './ApproveNote.js';
import { ArmedPanel } from './ArmedPanel.js';
import { arm, openAll, openEdit, openReject, submitBatch } from './actions.js';
import type { Current } from './current.js';
import { useDecision } from './decision-store.js';
import { draftOf } from './drafts.js';
import { GuardedButton } from './GuardedButton.js';
import { useGuard } from './guard-store.js';
import { Key } from './Key.js';
import { NameForm } from './NameForm.js';
import { RejectForm } from './RejectForm.js';
import { SnoozeMenu } from './SnoozeMenu.js';
import { undecided } from './submission.js';

const OFF_ID = 'approve-off';

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
      {current.detail.unanswered.length > 0 && <Repair current={current} />}
      {mode.kind === 'idle' && current.callOpen && <Buttons current={current} />}
      {mode.kind === 'idle' && !current.callOpen && <p className="faint">{words.bar.settled}</p>}
      {mode.kind === 'armed' && <ArmedPanel current={current} />}
      {mode.kind === 'rejecting' && <RejectForm current={current} />}
      {mode.kind === 'editing' && <p className="faint">{words.edit.inCard}</p>}
      {mode.kind === 'snoozing' && (
        <SnoozeMenu itemId={current.itemId} snoozedUntil={current.detail.row.snoozedUntil} />
      )}
      {mode.kind === 'naming' && <NameForm />}
      {mode.kind === 'all' && <AllForm current={current} verdict={mode.verdict} />}
    </section>
  );
}

function Buttons({ current }: { current: Current }) {
  const setMode = useDecision((s) => s.setMode);
  const { call, whyNotApprove: why, batch } = current;
  const off = why.length > 0;
  const which =
    call === null ? words.bar.step : batch ? words.bar.callOf(call.index + 1, said(call.name)) : said(call.name);
  return (
    <>
      {off && (
        <p className="why-off" id={OFF_ID} data-testid="approve-off">
          <strong>{words.bar.approveOff}</strong> <Marked text={why.join(' ')} />
        </p>
      )}
      <div className="buttons">
        <GuardedButton testId="reject" about={which} keys={['reject']} onGesture={openReject}>
          {words.bar.reject}
        </GuardedButton>
        {call !== null && (
          <GuardedButton testId="edit" about={words.bar.editAbout(which)} keys={['edit']} onGesture={openEdit}>
            {words.bar.edit}
          </GuardedButton>
        )}
        <button type="button" className="btn" data-testid="snooze" onClick={() => setMode({ kind: 'snoozing' })}>
          {words.bar.later} <Key action="snooze" />
        </button>
        {call !== null && <ApproveNote key={call.index} itemId={current.itemId} call={call} draft={current.draft} />}
        <span className="spacer" />
        <GuardedButton
          className={current.destructive ? 'btn go danger' : 'btn go'}
          testId="approve"
          off={off}
          describedBy={off ? OFF_ID : undefined}
          about={batch && call ? said(call.name) : which}
          keys={batch && !current.destructive ? ['approve'] : ['approve', 'approve']}
          onGesture={arm}
        >
          {batch && call ? words.bar.approveCall(call.index + 1) : words.bar.approve}
        </GuardedButton>
      </div>
    </>
  );
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
  const names = current.detail.unanswered.map((call) => call.name).join(', ');
  return (
    <label className="repair">
      <input
        type="checkbox"
        checked={current.repair}
        onChange={(event) => setRepair(current.itemId, event.target.checked)}
      />
      <span>
        {words.bar.repair(current.detail.unanswered.length)} <Marked text={names} />
      </span>
    </label>
  );
}
