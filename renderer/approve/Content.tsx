import type { Release } from '../../shared/approve.js';
import { Marked } from '../run/Marked.js';
import { OneLine } from '../run/OneLine.js';
import { text } from '../text.js';
import { ManyCalls, OneCall } from './Calls.js';
import { ManyRuns } from './ManyRuns.js';
import { isDangerous, isMany, masked, type Shown } from './words.js';

const words = text.control;

/** What would be sent, and of which run or runs; read by main from the store. */
export function Content({ release }: { release: Shown }) {
  const secrets = masked(release);
  return (
    <>
      {isMany(release) ? <ManyRuns release={release} /> : <OneRun release={release} />}
      {secrets > 0 && (
        <p className="warn" data-testid="control-secrets" data-sight="always">
          {words.masked(secrets)}
        </p>
      )}
    </>
  );
}

function OneRun({ release }: { release: Release }) {
  const { act, calls, others, retry, route } = release;
  const title = isDangerous(release) && !retry ? words.title_of.destructive : words.title_of[act];
  const [only] = calls;
  return (
    <>
      {only && calls.length === 1 && others.length === 0 ? (
        <OneCall call={only} title={title} />
      ) : calls.length > 0 ? (
        <ManyCalls release={release} title={title} />
      ) : (
        <p className="what" data-sight="always">
          <strong>{retry ? text.retry.title(retry.turn) : `${title}.`}</strong>{' '}
          {retry ? <Marked text={retry.warning} /> : act === 'continue' ? words.nothingSent : words.goesOn[route]}
        </p>
      )}
      <p className="run faint">
        <OneLine text={release.source} /> · <OneLine text={release.runId} /> · {words.step(release.step)} ·{' '}
        {words.route[route]}
      </p>
    </>
  );
}
