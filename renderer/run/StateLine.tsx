import type { CallView, RunDetail } from '../../shared/ipc.js';
import { ageOf, size, span, when } from '../app/format.js';
import { askOf } from '../decision/open-calls.js';
import { RuleLink } from '../rules/RuleLink.js';
import { text as words } from '../text.js';
import { FactList } from './FactList.js';
import { JumpBack } from './JumpBack.js';
import { ID_SPOT } from './jump.js';
import { Marked } from './Marked.js';
import { changeRoute } from './run-actions.js';

/** Source, run, step, age, time left, latch, and the way it goes on. */
export function StateLine({ detail, call, now }: { detail: RunDetail; call: CallView | null; now: number }) {
  const { row, latch, claimState, about = [], neighbours = [] } = detail;
  const facts: [string, React.ReactNode][] = [
    [words.state.status, row.other ? words.own.nothingWaits : words.status[row.status]],
    [words.state.source, <Marked line key="source" text={`${row.system} · ${row.source}`} />],
    [words.state.run, <Marked line key="run" text={row.runId} />],
  ];
  if (row.threadId !== null) facts.push([words.state.thread, <Marked line key="thread" text={row.threadId} />]);
  if (call?.id)
    facts.push([
      words.state.callId,
      <span key="id">
        <Marked line text={call.id} /> <JumpBack spot={ID_SPOT} />
      </span>,
    ]);
  if (row.step !== null) facts.push([words.state.step, words.state.stepAndSeq(row.step, row.seq)]);
  if (row.createdAt !== null)
    facts.push([words.state.suspended, `${when(row.createdAt)} (${words.ago(ageOf(row.createdAt, now) ?? '')})`]);
  if (row.expiresAt !== null)
    facts.push([
      words.state.expires,
      `${when(row.expiresAt)} (${words.timeLeft(Date.parse(row.expiresAt) - now, span)})`,
    ]);
  const held = latch ? words.state.latched(latch.kind, latch.by, when(latch.at)) : words.state.free;
  facts.push([words.state.latch, claimState ? `${held} · ${words.own.claim[claimState]}` : held]);
  facts.push([words.state.record, `${size(detail.size)} · ${words.fileState(detail.fileState)}`]);
  return (
    <section className="state" aria-label={words.state.label}>
      <dl>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        {!(row.other && askOf(detail) === null) && <Way detail={detail} />}
        {call && <RuleLink />}
      </dl>
      {about.length > 0 && (
        <section data-testid="about" aria-label={words.own.facts}>
          <h2>{words.own.facts}</h2>
          <FactList facts={about} />
        </section>
      )}
      {neighbours.length > 0 && (
        <section data-testid="neighbours" aria-label={words.own.neighbours(neighbours.length)}>
          <h2>{words.own.neighbours(neighbours.length)}</h2>
          <FactList facts={neighbours} />
        </section>
      )}
    </section>
  );
}

/** Here or elsewhere, once it goes on; and the other way, as long as both are open. */
function Way({ detail: { row, onlyHandedOver } }: { detail: RunDetail }) {
  const isOpen = (row.status === 'waiting' || row.other) && onlyHandedOver === undefined;
  return (
    <div>
      <dt>{row.other ? words.own.route : words.state.route}</dt>
      <dd>
        {words.route[row.route]}
        {isOpen && (
          <>
            {' '}
            <button type="button" className="link" onClick={() => void changeRoute(row)}>
              {words.state.otherRoute[row.route]}
            </button>
          </>
        )}
      </dd>
    </div>
  );
}
