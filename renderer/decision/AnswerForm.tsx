import { useContext, useEffect, useId, useRef } from 'react';
import type { CallView } from '../../shared/ipc.js';
import { isConfirmChord } from '../keys.js';
import { said } from '../run/said.js';
import { text as words } from '../text.js';
import { confirmAnswer, leave } from './actions.js';
import type { Current } from './current.js';
import { useDecision } from './decision-store.js';
import type { AnswerDraft } from './drafts.js';
import { GuardedButton, Shown } from './GuardedButton.js';
import { Key } from './Key.js';

const STATUSES = ['completed', 'failed', 'cancelled'] as const;

/** The result of a call that is made elsewhere: how it ended, and what it gave. Nothing is pre-selected. */
export function AnswerForm({ current, call }: { current: Current; call: CallView }) {
  const { draft, itemId, batch } = current;
  const { answer } = draft;
  const editDraft = useDecision((s) => s.editDraft);
  const shown = useContext(Shown);
  const first = useRef<HTMLInputElement>(null);
  const id = useId();
  useEffect(() => first.current?.focus(), []);
  const change = (part: Partial<AnswerDraft>): void => editDraft(itemId, call, { answer: { ...answer, ...part } });
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the confirming chord works in every field of the form
    <div
      className="answer-form"
      data-testid="answer-form"
      onKeyDown={(event) => {
        if (!isConfirmChord(event)) return;
        event.preventDefault();
        const { key, repeat } = event;
        const composing = event.nativeEvent.isComposing;
        confirmAnswer(() => ({ by: 'key', key, repeat, composing, keyboard: 'confirm_text', madeFor: shown }));
      }}
    >
      <p className="faint" id={`${id}-means`}>
        {words.answer.means}
      </p>
      <fieldset className="statuses" aria-describedby={`${id}-means`}>
        <legend>{words.answer.status}</legend>
        {STATUSES.map((status, i) => (
          <label key={status}>
            <input
              ref={i === 0 ? first : undefined}
              type="radio"
              name={id}
              value={status}
              checked={answer.status === status}
              onChange={() => change({ status })}
            />
            {words.answer.statuses[status]}
          </label>
        ))}
      </fieldset>
      <label htmlFor={`${id}-text`}>
        {answer.status === null ? words.answer.result : words.answer.text[answer.status]}
        <span className="visually-hidden"> {words.armed.of(said(call.name))}</span>
      </label>
      <textarea
        id={`${id}-text`}
        data-testid="answer-text"
        rows={2}
        value={answer.text}
        onChange={(event) => change({ text: event.target.value })}
      />
      <div className="buttons">
        <span className="spacer" />
        <button type="button" className="btn" onClick={leave}>
          {words.cancel} <Key action="back" />
        </button>
        <GuardedButton
          className="btn solid"
          testId="answer-confirm"
          off={answer.status === null}
          keys={['submit']}
          onGesture={confirmAnswer}
        >
          {batch ? words.answer.mark : words.answer.confirm}
        </GuardedButton>
      </div>
    </div>
  );
}
