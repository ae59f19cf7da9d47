import type { RunDetail } from '../../shared/ipc.js';
import { when } from '../app/format.js';
import { linesOf } from '../decision/diff.js';
import { LongText } from '../run/LongText.js';
import { Marked } from '../run/Marked.js';
import { OneLine } from '../run/OneLine.js';
import { isLongText } from '../run/places.js';
import { said } from '../run/said.js';
import { text as words } from '../text.js';
import type { UnknownCall } from './unknown-calls.js';

/** What is known about a call whose outcome is not: journal, times, cause, arguments, and who held the claim. */
export function Evidence({ detail, call }: { detail: RunDetail; call: UnknownCall }) {
  const { entry } = call;
  const { latch, decision } = detail;
  const facts: [string, string][] = [];
  if (entry) {
    facts.push([words.reconcile.journal, words.journal.state(entry.state, entry.cause)]);
    facts.push([words.reconcile.startedAt, entry.startedAt ? when(entry.startedAt) : words.reconcile.noTime]);
    if (entry.endedAt) facts.push([words.reconcile.cutAt, when(entry.endedAt)]);
    if (entry.cause) facts.push([words.reconcile.cause, words.journal.cause(entry.cause)]);
    if (entry.result) facts.push([words.reconcile.answer, entry.result]);
    facts.push([words.reconcile.callId, entry.id]);
  } else {
    facts.push([words.reconcile.journal, words.reconcile.noJournal]);
  }
  if (latch) facts.push([words.reconcile.claim, words.state.latched(latch.kind, latch.by, when(latch.at))]);
  if (decision)
    facts.push([words.reconcile.decided, words.decided.by(decision.reviewer.name, when(decision.decidedAt))]);
  facts.push([words.reconcile.repeatable, call.repeatable ? words.verdict.repeatable : words.verdict.notRepeatable]);
  return (
    <section className="evidence" aria-label={words.reconcile.evidence(said(call.name))}>
      <h2>
        <OneLine text={call.name} /> <span className="faint">{words.journal.call(call.index + 1)}</span>
      </h2>
      <dl className="fields">
        {facts.map(([name, value]) => (
          <div className="field" key={name}>
            <dt>{name}</dt>
            <dd>
              <Marked text={value} />
            </dd>
          </div>
        ))}
      </dl>
      {call.arguments !== null && (
        <>
          <h3>{words.args.title}</h3>
          <LongText
            text={linesOf(call.arguments).join('\n')}
            label={words.args.title}
            bounded={isLongText(call.arguments)}
          />
        </>
      )}
    </section>
  );
}
