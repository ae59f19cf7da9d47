import { useEffect, useRef } from 'react';
import type { BulkList, LeftOut } from '../../shared/bulk.js';
import { Marked } from '../run/Marked.js';
import { OneLine } from '../run/OneLine.js';
import { text as words } from '../text.js';
import { type Phase, useBulk } from './bulk-store.js';
import { RejectMany } from './RejectMany.js';
import { RunLine } from './RunLine.js';
import { Told } from './Told.js';

/** In place of the card: the list of exactly what is decided, or was. */
export function BulkPanel() {
  const phase = useBulk((s) => s.phase);
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    if (phase.kind === 'told') panel.current?.focus({ preventScroll: true });
  }, [phase.kind]);
  if (phase.kind === 'marking') return null;
  const tool = phase.list.runs[0]?.calls[0]?.name ?? phase.list.leftOut[0]?.tool ?? '';
  return (
    <>
      <section
        ref={panel}
        tabIndex={-1}
        className="bulk-panel"
        data-testid="bulk-panel"
        data-phase={phase.kind}
        aria-label={titleOf(phase)}
      >
        <h1>
          {titleOf(phase)}{' '}
          <span className="mono">
            <OneLine text={tool} />
          </span>
        </h1>
        {phase.kind === 'approving' && <p className="faint">{words.bulk.inControl}</p>}
        <OutOfIt leftOut={phase.list.leftOut} />
        {phase.kind === 'rejecting' && <Named list={phase.list} />}
        {phase.kind === 'told' && <Told phase={phase} />}
      </section>
      {phase.kind === 'rejecting' && <RejectMany phase={phase} />}
    </>
  );
}

function titleOf(phase: Exclude<Phase, { kind: 'marking' }>): string {
  const n = phase.list.runs.length;
  if (phase.kind === 'told') return phase.decided === null ? words.bulk.nothing : words.bulk.result[phase.said];
  return words.bulk.title[phase.kind](n);
}

/** What is not in it, each with its reason. */
function OutOfIt({ leftOut }: { leftOut: readonly LeftOut[] }) {
  if (leftOut.length === 0) return null;
  return (
    <details className="left-out" data-testid="left-out" open>
      <summary>{words.bulk.leftOut(leftOut.length)}</summary>
      <ul>
        {leftOut.map(({ id, tool, runId, why }) => (
          <li key={id}>
            <span className="mono">
              <OneLine text={tool} />
            </span>{' '}
            · <OneLine text={runId} />: <Marked text={why} />
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Every run that will be rejected, with its calls. */
function Named({ list }: { list: BulkList }) {
  return (
    <ol className="bulk-list" data-testid="bulk-list">
      {list.runs.map((run) => (
        <li key={run.id}>
          <RunLine run={run} />
          {run.calls.map(({ index, text, length, argumentsSha256 }) => (
            <p key={index} className="mono">
              <OneLine text={text} />
              {length > text.length && <span className="faint"> {words.bulk.more(length - text.length)}</span>}{' '}
              <span className="faint">{words.args.digest(argumentsSha256)}</span>
            </p>
          ))}
        </li>
      ))}
    </ol>
  );
}
