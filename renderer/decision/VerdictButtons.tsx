import { said } from '../run/said.js';
import { text as words } from '../text.js';
import { ApproveNote } from './ApproveNote.js';
import { arm, openAnswer, openEdit, openReject } from './actions.js';
import type { Current } from './current.js';
import { useDecision } from './decision-store.js';
import { GuardedButton } from './GuardedButton.js';
import { Key } from './Key.js';
import { OFF_ID, WhyOff } from './WhyOff.js';

/** What may be said about the call in front: reject, edit, later, and one primary act. */
export function VerdictButtons({ current }: { current: Current }) {
  const setMode = useDecision((s) => s.setMode);
  const { call, batch, needsResult } = current;
  const which =
    call === null ? words.bar.step : batch ? words.bar.callOf(call.index + 1, said(call.name)) : said(call.name);
  return (
    <>
      {needsResult ? (
        <p className="why-off">{call?.question ? words.question.needs : words.approve.needsResult}</p>
      ) : (
        <WhyOff title={words.bar.approveOff} why={current.whyNotApprove} />
      )}
      <div className="buttons">
        <GuardedButton testId="reject" about={which} keys={['reject']} onGesture={openReject}>
          {words.bar.reject}
        </GuardedButton>
        {call !== null && !needsResult && (
          <GuardedButton testId="edit" about={words.bar.editAbout(which)} keys={['edit']} onGesture={openEdit}>
            {words.bar.edit}
          </GuardedButton>
        )}
        <button type="button" className="btn" data-testid="snooze" onClick={() => setMode({ kind: 'snoozing' })}>
          {words.bar.later} <Key action="snooze" />
        </button>
        {call !== null && !needsResult && (
          <ApproveNote key={call.index} itemId={current.itemId} call={call} draft={current.draft} />
        )}
        <span className="spacer" />
        {needsResult ? (
          <GuardedButton
            className="btn go"
            testId="answer"
            about={words.armed.of(which)}
            keys={['approve']}
            onGesture={openAnswer}
          >
            {call?.question ? words.question.act : words.answer.act}
          </GuardedButton>
        ) : (
          <ApproveButton current={current} which={which} />
        )}
      </div>
    </>
  );
}

function ApproveButton({ current, which }: { current: Current; which: string }) {
  const { call, batch, destructive } = current;
  const off = current.whyNotApprove.length > 0;
  return (
    <GuardedButton
      className={destructive ? 'btn go danger' : 'btn go'}
      testId="approve"
      off={off}
      describedBy={off ? OFF_ID : undefined}
      about={batch && call ? said(call.name) : which}
      keys={batch && !destructive ? ['approve'] : ['approve', 'approve']}
      onGesture={arm}
    >
      {batch && call ? words.bar.approveCall(call.index + 1) : words.bar.approve}
    </GuardedButton>
  );
}
