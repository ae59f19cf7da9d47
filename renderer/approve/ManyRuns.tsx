import type { BulkRelease, ListedRelease } from '../../shared/approve.js';
import { Marked } from '../run/Marked.js';
import { OneLine } from '../run/OneLine.js';
import { text } from '../text.js';
import { Facts } from './Calls.js';

const words = text.control;

/**
 * Several runs of one tool and one class: each with its target, its digest and the whole of its arguments. Every row must
 * have been on screen before the control answers (I12).
 */
export function ManyRuns({ release }: { release: BulkRelease }) {
  const { runs, leftOut, tool } = release;
  // What is said of each of them is said once.
  const shared = (runs[0]?.warnings ?? []).filter((one) => runs.every(({ warnings }) => warnings.includes(one)));
  return (
    <>
      <p className="what" data-sight="always">
        <strong>{words.title_of.decide_many(runs.length)}</strong>{' '}
        <span className="mono name">
          <OneLine text={tool} />
        </span>
        {leftOut.length > 0 && <span className="warn"> {words.leftOut(leftOut.length)}</span>}
      </p>
      {/* A part that scrolls must be reachable by keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
      <ol className="rows many" data-testid="control-rows" tabIndex={0} aria-label={words.runs(runs.length)}>
        {shared.map((warning) => (
          <li key={warning} className="left-out" data-sight="once">
            {words.eachOf} <Marked text={warning} />
          </li>
        ))}
        {leftOut.map(({ id, tool: name, runId, why }) => (
          <li key={id} className="left-out" data-sight="once">
            {words.notInIt}{' '}
            <span className="mono">
              <OneLine text={name} />
            </span>{' '}
            · <OneLine text={runId} />: <Marked text={why} />
          </li>
        ))}
        {runs.map((run, n) => (
          <Run key={run.id} run={run} of={shared} n={n + 1} />
        ))}
      </ol>
    </>
  );
}

function Run({ run, of, n }: { run: ListedRelease; of: readonly string[]; n: number }) {
  return (
    <li className="run-row" data-testid="control-run">
      <p className="faint" data-sight="once">
        {words.nth(n)} <OneLine text={run.source} /> · <OneLine text={run.runId} /> · {words.step(run.step)} ·{' '}
        {words.route[run.route]}
      </p>
      {run.warnings
        .filter((one) => !of.includes(one))
        .map((warning) => (
          <p key={warning} className="warn" data-sight="once">
            <Marked text={warning} />
          </p>
        ))}
      {run.calls.map((call) => (
        <div key={call.index}>
          <p data-sight="once">
            {run.calls.length > 1 && <span className="faint">{words.call(call.index + 1)} </span>}
            <Facts call={call} />
          </p>
          <p className="row-text mono" data-sight="once">
            <Marked text={call.text} />
          </p>
        </div>
      ))}
    </li>
  );
}
