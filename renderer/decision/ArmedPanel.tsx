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
 * The second half of marking a destructive call in a batch: a layout of its own, which says tool and target again and puts
 * the confirmation where the first button was not. It sends nothing: the batch is confirmed in the approve control.
 */
export function ArmedPanel({ current }: { current: Current }) {
  const panel = useRef<HTMLElement>(null);
  const { call, draft } = current;
  const shown = useRun((s) => (call ? s.texts[call.index]?.text : undefined));
  // The group is focused, never the button: a key that was meant for something else finds nothing to press.
  useEffect(() => panel.current?.focus({ preventScroll: true }), []);
  const name = call?.name ?? words.bar.step;
  const effective = draft.editedArguments ?? shown;
  const target = call && effective !== undefined ? targetOf(readArguments(effective, call.sentAs)) : null;
  return (
    <section
      ref={panel}
      tabIndex={-1}
      className="armed destructive"
      aria-label={words.armed.destructiveLabel(said(name))}
    >
      <GuardedButton className="btn danger solid" testId="mark-confirm" keys={['approve']} onGesture={confirm}>
        {words.armed.mark} <OneLine text={name} />
      </GuardedButton>
      <p>
        <strong>{words.armed.destructiveTitle}</strong>{' '}
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
    </section>
  );
}
