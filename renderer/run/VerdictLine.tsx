import { useState } from 'react';
import type { CallView } from '../../shared/ipc.js';
import { text as words } from '../text.js';
import { JumpBack } from './JumpBack.js';
import { NAME_SPOT } from './jump.js';
import { Marked } from './Marked.js';
import { OneLine } from './OneLine.js';
import type { Target } from './target.js';

/**
 * Tool, target, effect class, repeatable or not: from the reviewer's own table. What the server says of itself stands
 * apart, and lowers nothing.
 */
export function VerdictLine({ call, target }: { call: CallView; target: Target | null }) {
  const { facts, claims, server } = call;
  /** The name that was unfolded; another call's stays cut. */
  const [whole, setWhole] = useState<string | null>(null);
  return (
    <section className={`verdict ${facts.effect}`} data-testid="verdict" aria-label={words.verdict.label}>
      <h1>
        {whole === call.name ? (
          <Marked text={call.name} line />
        ) : (
          <OneLine text={call.name} onUnfold={() => setWhole(call.name)} />
        )}
      </h1>
      <JumpBack spot={NAME_SPOT} />
      <strong className="tag">
        {words.effect[facts.effect]} · {facts.repeatable ? words.verdict.repeatable : words.verdict.notRepeatable}
      </strong>
      <p>
        {target && (
          <>
            <OneLine text={target.key} />:{' '}
            <strong className="mono target">
              <OneLine text={target.value} />
            </strong>
            {'. '}
          </>
        )}
        {server === null ? (
          words.verdict.noServer
        ) : (
          <>
            {words.verdict.server} <OneLine text={server} />.{' '}
          </>
        )}
        {facts.known ? words.verdict.known : words.verdict.unknown}
        {facts.raisedByClaim && ` ${words.verdict.raised}`}
      </p>
      {Object.keys(claims).length > 0 && <p className="claims">{words.verdict.claims(claims)}</p>}
      {call.answered && <p className="warn">{words.verdict.answered}</p>}
    </section>
  );
}
