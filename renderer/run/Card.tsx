import { useEffect, useMemo, useRef } from 'react';
import type { CallView, RunDetail } from '../../shared/ipc.js';
import type { Current } from '../decision/current.js';
import { useDecision } from '../decision/decision-store.js';
import { EditDiff } from '../decision/EditDiff.js';
import { EditForm } from '../decision/EditForm.js';
import { editsOf } from '../decision/edit.js';
import { openCalls } from '../decision/open-calls.js';
import { Reconcile } from '../reconcile/Reconcile.js';
import { text as words } from '../text.js';
import { AgentWords } from './AgentWords.js';
import { Arguments } from './Arguments.js';
import { ChangedNotice } from './ChangedNotice.js';
import { Crumb } from './Crumb.js';
import { DecisionSummary } from './DecisionSummary.js';
import { ForeignClaim } from './ForeignClaim.js';
import { readArguments } from './fields.js';
import { Marked } from './Marked.js';
import { NothingWaits } from './NothingWaits.js';
import { Outcome } from './Outcome.js';
import { OwnWords } from './OwnWords.js';
import { RunLinks } from './RunLinks.js';
import { useRun } from './run-store.js';
import { StateLine } from './StateLine.js';
import { Superseded } from './Superseded.js';
import { targetOf } from './target.js';
import { Unreadable } from './Unreadable.js';
import { VerdictLine } from './VerdictLine.js';
import { Warnings } from './Warnings.js';

interface Props {
  detail: RunDetail;
  current: Current | null;
  now: number;
}

/** The card in the reviewer's order: verdict, arguments, warnings, state, why it stopped, the agent's own words. */
export function Card({ detail, current, now }: Props) {
  const at = useRun((s) => s.at);
  const goToCall = useRun((s) => s.goToCall);
  const scroller = useRef<HTMLElement>(null);
  const call = detail.calls[at];
  const place = `${detail.row.id}\n${at}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another call starts at its top
  useEffect(() => {
    if (scroller.current) scroller.current.scrollTop = 0;
  }, [place]);

  if (detail.row.status === 'unreadable') {
    return (
      <section className="card-scroll" ref={scroller} aria-label={words.card.region}>
        <Unreadable detail={detail} />
      </section>
    );
  }
  const over = current === null;
  return (
    // A part that scrolls must be reachable by keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <section className="card-scroll" ref={scroller} tabIndex={0} aria-label={words.card.region}>
      <ChangedNotice detail={detail} />
      <Crumb detail={detail} at={at} drafts={current?.drafts} now={now} onGoTo={goToCall} />
      <OwnWords detail={detail} />
      <RunLinks detail={detail} />
      {over && !detail.row.other && <Outcome detail={detail} now={now} />}
      {detail.row.status === 'superseded' && <Superseded detail={detail} />}
      <Reconcile detail={detail} />
      <ForeignClaim detail={detail} />
      {(over || detail.row.status === 'held') && <DecisionSummary detail={detail} />}
      {call && detail.row.other && <NothingWaits detail={detail} />}
      {call ? <Call detail={detail} call={call} current={current} /> : <Step detail={detail} />}
      <StateLine detail={detail} call={call ?? null} now={now} />
      {detail.reason !== null && (
        <section className="reason" aria-label={words.card.why}>
          <h2>{words.card.why}</h2>
          <p>
            <Marked text={detail.reason} />
          </p>
        </section>
      )}
      <AgentWords itemId={detail.row.id} messages={detail.messages} />
    </section>
  );
}

function Call({ detail, call, current }: { detail: RunDetail; call: CallView; current: Current | null }) {
  const shown = useRun((s) => s.texts[call.index]);
  const mode = useDecision((s) => s.mode);
  const whole = shown?.state === 'whole' ? shown.text : null;
  const target = useMemo(
    () => (whole === null ? null : targetOf(readArguments(whole, call.sentAs))),
    [whole, call.sentAs],
  );
  const edited = current?.call === call ? current.draft.editedArguments : null;
  const itemId = detail.row.id;
  return (
    <>
      <VerdictLine call={call} target={target} />
      {mode.kind === 'editing' && current?.call === call && whole !== null ? (
        <EditForm key={call.index} itemId={itemId} call={call} draft={current.draft} proposed={whole} />
      ) : (
        <>
          <Arguments key={`${itemId}\n${call.index}\n${call.argumentsSha256}`} itemId={itemId} call={call} />
          {edited !== null && whole !== null && <EditDiff before={whole} after={edited} edits={editsOf(call)} />}
        </>
      )}
      <Warnings warnings={warningsFor(detail, call)} call={call} />
    </>
  );
}

/** This call's own, then those of the whole record; a sibling's stand on the sibling's card. */
function warningsFor(detail: RunDetail, call: CallView): CallView['warnings'] {
  const ofCalls = detail.calls.flatMap((c) => c.warnings.map((w) => `${w.code}\n${w.path}\n${w.text}`));
  return [...call.warnings, ...detail.warnings.filter((w) => !ofCalls.includes(`${w.code}\n${w.path}\n${w.text}`))];
}

/** A stop without a list of calls: what would go on is the step itself. */
function Step({ detail }: { detail: RunDetail }) {
  const stands = openCalls(detail).length === 0 && detail.row.status === 'waiting';
  return (
    <>
      {detail.row.other ? <NothingWaits detail={detail} /> : <StepVerdict detail={detail} stands={stands} />}
      <Warnings warnings={detail.warnings} call={null} />
    </>
  );
}

function StepVerdict({ detail, stands }: { detail: RunDetail; stands: boolean }) {
  return (
    <section className="verdict step" data-testid="verdict" aria-label={words.verdict.label}>
      <h1>{words.card.step(detail.row.step ?? 0)}</h1>
      <strong className="tag">{words.card.noCalls}</strong>
      {stands && <p>{detail.hasCallList ? words.card.emptyList : words.card.noList}</p>}
    </section>
  );
}
