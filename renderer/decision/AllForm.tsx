import { useEffect, useRef, useState } from 'react';
import { OneLine } from '../run/OneLine.js';
import { text as words } from '../text.js';
import { confirmAll, coveredByAll, leave } from './actions.js';
import type { Current } from './current.js';
import { GuardedButton } from './GuardedButton.js';
import { Key } from './Key.js';

/** Marks several calls at once: exactly those in the list, which is fixed when it opens (C99). Nothing is sent yet. */
export function AllForm({ current, verdict }: { current: Current; verdict: 'approve' | 'reject' }) {
  const [named] = useState(() => coveredByAll(current, verdict));
  const form = useRef<HTMLElement>(null);
  useEffect(() => form.current?.focus(), []);
  const left = current.open.length - named.length;
  return (
    <section ref={form} tabIndex={-1} className="all-form" aria-label={words.all.title(verdict, named.length)}>
      <strong>{words.all.title(verdict, named.length)}</strong>
      <ul>
        {named.map((call) => (
          <li key={call.index}>
            {words.journal.call(call.index + 1)}:{' '}
            <span className="mono">
              <OneLine text={call.name} />
            </span>{' '}
            <span className="faint">
              {words.effect[call.facts.effect]} · {words.args.digest(call.argumentsSha256)}
            </span>
          </li>
        ))}
      </ul>
      {left > 0 && (
        <p className="faint">{verdict === 'approve' ? words.all.leftApprove(left) : words.all.leftReject(left)}</p>
      )}
      <div className="buttons">
        <span className="faint">{words.all.means}</span>
        <span className="spacer" />
        <button type="button" className="btn" onClick={leave}>
          {words.cancel} <Key action="back" />
        </button>
        <GuardedButton
          className="btn solid"
          testId="all-confirm"
          off={named.length === 0}
          onGesture={(gesture) => confirmAll(gesture, named)}
        >
          {words.all.confirm(verdict, named.length)}
        </GuardedButton>
      </div>
    </section>
  );
}
