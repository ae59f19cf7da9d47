import type { Release, ReleaseCall } from '../../shared/approve.js';
import { SHOWN_LINES, SHOWN_UNITS } from '../../shared/bulk.js';
import { lineCount, readArguments } from '../run/fields.js';
import { Marked } from '../run/Marked.js';
import { OneLine } from '../run/OneLine.js';
import { targetOf } from '../run/target.js';
import { text } from '../text.js';

const words = text.control;
/** In a list of several, one line each. */
const ROW_UNITS = 80;

const isWhole = ({ text: shown, length }: ReleaseCall): boolean => shown.length === length;

/**
 * Tool, target, class and digest of the one call that would be sent, and its arguments where they are short; longer ones are
 * read on the card, and named here by their digest.
 */
export function OneCall({ call, title }: { call: ReleaseCall; title: string }) {
  const short = isWhole(call) && call.length <= SHOWN_UNITS && lineCount(call.text) <= SHOWN_LINES;
  return (
    <>
      <p className="what" data-sight="always">
        <strong>{title}</strong> <Facts call={call} />
      </p>
      <div className="text mono" data-testid="control-text" data-sight="always">
        {short ? <Marked text={call.text} /> : words.long(call.length.toLocaleString('en'))}
      </div>
    </>
  );
}

/** Several calls: one row each, and each row must have been on screen. */
export function ManyCalls({ release, title }: { release: Release; title: string }) {
  const { calls, others } = release;
  return (
    <>
      <p className="what" data-sight="always">
        <strong>{title}</strong> {words.calls(calls.length)}
      </p>
      {/* A part that scrolls must be reachable by keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
      <ol className="rows" data-testid="control-rows" tabIndex={0} aria-label={words.calls(calls.length)}>
        {calls.map((call) => (
          <li key={call.index} data-sight="once">
            <span className="faint">{words.call(call.index + 1)}</span> <Facts call={call} />
            {isWhole(call) && call.length <= ROW_UNITS && (
              <span className="row-text mono">
                <OneLine text={call.text} />
              </span>
            )}
          </li>
        ))}
        {others.map(({ index, name, verdict }) => (
          <li key={index} data-sight="once" className="faint">
            {words.call(index + 1)}{' '}
            <span className="mono">
              <OneLine text={name} />
            </span>{' '}
            {words.others[verdict]}
          </li>
        ))}
      </ol>
    </>
  );
}

/** Tool, target, class and digest of one call. */
export function Facts({ call }: { call: ReleaseCall }) {
  const target = isWhole(call) ? targetOf(readArguments(call.text, call.sentAs)) : null;
  const { facts } = call;
  return (
    <>
      <span className="mono name">
        <OneLine text={call.name} />
      </span>
      {target && (
        <>
          {' '}
          — <OneLine text={target.key} />:{' '}
          <strong className="mono target">
            <OneLine text={target.value} />
          </strong>
        </>
      )}{' '}
      <span className={`tag ${facts.effect}`}>
        {text.effect[facts.effect]} · {facts.repeatable ? text.verdict.repeatable : text.verdict.notRepeatable}
      </span>
      {call.edited && <em> {words.edited}</em>}
      {call.typesChanged && (
        <em className="warn">
          {' '}
          {words.typesChanged} <Marked text={call.typesChanged.join('; ')} />
        </em>
      )}{' '}
      <span className="digest mono faint" title={call.effectiveSha256} data-testid="control-digest">
        {words.digest(call.effectiveSha256)}
      </span>
    </>
  );
}
