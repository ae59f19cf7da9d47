import { useMemo, useRef, useState } from 'react';
import type { CallView } from '../../shared/ipc.js';
import { count, size } from '../app/format.js';
import { text as words } from '../text.js';
import { ArgumentBody } from './ArgumentBody.js';
import type { ArgumentText } from './argument-text.js';
import { copyMasked, copyText } from './copy.js';
import { DigestOf } from './Digest.js';
import { FileEditView } from './FileEdit.js';
import { readArguments } from './fields.js';
import { JumpBack } from './JumpBack.js';
import { argumentSpot } from './jump.js';
import { LongText } from './LongText.js';
import { END, placeKey } from './places.js';
import { ReachEnd } from './ReachEnd.js';
import { useRun } from './run-store.js';
import { useSecretCount } from './secret-count.js';
import { useSideways } from './sideways.js';

/** Every argument of one call, in the order written, and the exact text behind them. */
export function Arguments({ itemId, call }: { itemId: string; call: CallView }) {
  const shown = useRun((s) => s.texts[call.index]);
  const markReached = useRun((s) => s.markReached);
  const fetchRest = useRun((s) => s.fetchRest);
  const [exact, setExact] = useState(false);
  const whole = shown?.state === 'whole' ? shown.text : null;
  const args = useMemo(() => (whole === null ? null : readArguments(whole, call.sentAs)), [whole, call.sentAs]);
  const secrets = useSecretCount(whole);
  const end = placeKey(itemId, call, END);
  const section = useRef<HTMLElement>(null);
  useSideways(section, end);

  return (
    <section ref={section} className="args" data-testid="arguments" aria-label={words.args.title}>
      <header>
        <h2>{words.args.title}</h2>
        <span className="faint">
          {args?.kind === 'fields' && words.args.fields(args.fields.length, args.fields[0]?.key ?? null)}{' '}
          {size(call.argumentsLength)} · {words.args.state(shown?.state ?? 'loading')}
        </span>
        {secrets > 0 && (
          <span className="secrets" data-testid="secrets" title={words.args.secretsMean}>
            {words.args.secrets(secrets)}
          </span>
        )}
        <JumpBack spot={argumentSpot('')} />
        <span className="spacer" />
        <DigestOf hex={call.argumentsSha256} />
        {whole !== null && (
          <>
            <button type="button" className="link" aria-pressed={exact} onClick={() => setExact(!exact)}>
              {words.args.exact}
            </button>
            <button type="button" className="link" onClick={() => void copyMasked(whole)}>
              {words.args.copy}
            </button>
            {secrets > 0 && (
              <button type="button" className="link" onClick={() => void copyText(whole)}>
                {words.args.copySecrets}
              </button>
            )}
          </>
        )}
      </header>
      {args !== null && whole !== null && !exact && (
        <ArgumentBody itemId={itemId} call={call} text={whole} args={args} />
      )}
      {args !== null && !exact && <FileEditView itemId={itemId} call={call} args={args} />}
      {exact && whole !== null && <LongText text={whole} label={words.args.exact} bounded={whole.length > 4_000} />}
      {whole === null && shown && (
        <div className="not-whole">
          <p className="warn" role="status">
            {words.args.notWhole(shown.state, count(hereOf(shown)), count(call.argumentsLength))}
            {shown.state === 'refused' && ` ${shown.refusal.text}`}
          </p>
          {(shown.state === 'partial' || shown.state === 'refused') && (
            <button type="button" className="btn" onClick={() => void fetchRest(call)}>
              {words.args.fetchRest}
            </button>
          )}
          <LongText text={shown.text} label={words.args.title} bounded />
        </div>
      )}
      {whole !== null && <ReachEnd key={end} onReached={() => markReached(end)} />}
    </section>
  );
}

/** How much has come so far. */
const hereOf = (shown: ArgumentText): number =>
  shown.state === 'loading' ? (shown.here ?? shown.text.length) : shown.text.length;
