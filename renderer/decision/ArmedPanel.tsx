import { useEffect, useRef } from 'react';
import { DigestOf } from '../run/Digest.js';
import { readArguments } from '../run/fields.js';
import { OneLine } from '../run/OneLine.js';
import { useRun } from '../run/run-store.js';
import { said } from '../run/said.js';
import { targetOf } from '../run/target.js';
import { text as words } from '../text.js';
import { confirm, leave } from './actions.js';
import type { Current } from './current.js';
import { GuardedButton } from './GuardedButton.js';
import { Key } from './Key.js';

/**
 * The second half of an approval. The destructive class gets a layout of its own, which says tool and target again and
 * puts the confirmation where the first button was not.
 */
export function ArmedPanel({ current }: { current: Current }) {
  const panel = useRef<HTMLElement>(null);
  const { call, destructive, draft } = current;
  const shown = useRun((s) => (call ? s.texts[call.index]?.text : undefined));
  // The group is focused, never the button: a key that was meant for something else finds nothing to press.
  useEffect(() => panel.current?.focus({ preventScroll: true }), []);
  const name = call?.name ?? words.bar.step;
  const effective = draft.editedArguments ?? shown;
  const target = call && effective !== undefined ? targetOf(readArguments(effective, call.sentAs)) : null;
  // In a batch only the destructive class is armed: the others are marked at once.
  const button = destructive ? (
    <GuardedButton className="btn danger solid" testId="approve-confirm" keys={['approve']} onGesture={confirm}>
      {current.batch ? words.armed.mark : words.armed.run} <OneLine text={name} />
    </GuardedButton>
  ) : (
    <GuardedButton
      className="btn go solid"
      testId="approve-confirm"
      about={words.armed.of(said(name))}
      keys={['approve']}
      onGesture={confirm}
    >
      {words.armed.confirm}
    </GuardedButton>
  );
  return (
    <section
      ref={panel}
      tabIndex={-1}
      className={`armed ${destructive ? 'destructive' : ''}`}
      aria-label={destructive ? words.armed.destructiveLabel(said(name)) : words.armed.label(said(name))}
    >
      {destructive && button}
      <p>
        <strong>{destructive ? words.armed.destructiveTitle : words.armed.title}</strong>{' '}
        <span className="mono">
          <OneLine text={name} />
        </span>
        {target && (
          <>
            {' '}
            — <OneLine text={target.key} />:{' '}
            <strong className="mono">
              <OneLine text={target.value} />
            </strong>
          </>
        )}
        {draft.editedArguments !== null && <em> {words.armed.edited}</em>}
        {call && <DigestOf hex={call.argumentsSha256} />}
      </p>
      <span className="spacer" />
      <button type="button" className="btn" onClick={leave}>
        {words.cancel} <Key action="back" />
      </button>
      {!destructive && button}
    </section>
  );
}
