import type { BulkRun } from '../../shared/bulk.js';
import { readArguments } from '../run/fields.js';
import { OneLine } from '../run/OneLine.js';
import { targetOf } from '../run/target.js';
import { text as words } from '../text.js';

/** Source, run, step, and what the first call acts on. */
export function RunLine({ run }: { run: BulkRun }) {
  const [call] = run.calls;
  const target = call && call.text.length === call.length ? targetOf(readArguments(call.text, 'as_written')) : null;
  return (
    <p>
      {target && (
        <>
          <OneLine text={target.key} />:{' '}
          <strong className="mono">
            <OneLine text={target.value} />
          </strong>{' '}
          ·{' '}
        </>
      )}
      <span className="faint">
        <OneLine text={run.source} /> · <OneLine text={run.runId} /> · {words.step(run.step)}
      </span>
    </p>
  );
}
