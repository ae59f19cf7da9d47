import { useContext, useEffect, useId, useRef, useState } from 'react';
import type { Attached } from '../../shared/draft.js';
import type { CallView } from '../../shared/ipc.js';
import type { Outcome, Refusal } from '../../shared/refusal.js';
import { isConfirmChord } from '../keys.js';
import { Marked } from '../run/Marked.js';
import { said } from '../run/said.js';
import { text as words } from '../text.js';
import { AttachedFile } from './AttachedFile.js';
import { confirmAnswer, leave } from './actions.js';
import { changeAnswer, changeFile, droppedFile, pickFile } from './attach.js';
import type { Current } from './current.js';
import type { CallDraft } from './drafts.js';
import { GuardedButton, Shown } from './GuardedButton.js';
import { Key } from './Key.js';

const STATUSES = ['completed', 'failed', 'cancelled'] as const;
/** A question was answered, or it was not: it does not fail. */
const OF_QUESTION = ['completed', 'cancelled'] as const;

function labelOf({ question }: CallView, status: CallDraft['answer']['status']): string {
  if (question && status !== 'cancelled') return words.question.text;
  return status === null ? words.answer.result : words.answer.text[status];
}

/** The result of a call that is made elsewhere: how it ended, and what it gave. Nothing is pre-selected. */
export function AnswerForm({ current, call }: { current: Current; call: CallView }) {
  const { draft, itemId, batch } = current;
  const { answer } = draft;
  const shown = useContext(Shown);
  const first = useRef<HTMLInputElement>(null);
  const id = useId();
  useEffect(() => first.current?.focus(), []);
  const text = useRef<HTMLTextAreaElement>(null);
  const [asking, setAsking] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  async function attach(from: Promise<Outcome<Attached | null>>): Promise<void> {
    setAsking(true);
    const reply = await from;
    setAsking(false);
    setRefusal(reply.ok ? null : reply.refusal);
    if (reply.ok && reply.value !== null) changeFile(itemId, call, reply.value);
  }
  const takeAway = (): void => {
    changeFile(itemId, call, null);
    requestAnimationFrame(() => text.current?.focus());
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the confirming chord works in every field of the form
    <div
      className="answer-form"
      data-testid="answer-form"
      data-takes-files
      onDrop={(event) => {
        event.preventDefault();
        void attach(droppedFile(event.dataTransfer));
      }}
      onKeyDown={(event) => {
        if (!isConfirmChord(event)) return;
        event.preventDefault();
        const { key, repeat } = event;
        const composing = event.nativeEvent.isComposing;
        confirmAnswer(() => ({ by: 'key', key, repeat, composing, keyboard: 'confirm_text', madeFor: shown }));
      }}
    >
      <p className="faint" id={`${id}-means`}>
        {call.question ? words.question.means : words.answer.means}
      </p>
      <fieldset className="statuses" aria-describedby={`${id}-means`}>
        <legend>{call.question ? words.question.status : words.answer.status}</legend>
        {(call.question ? OF_QUESTION : STATUSES).map((status, i) => (
          <label key={status}>
            <input
              ref={i === 0 ? first : undefined}
              type="radio"
              name={id}
              value={status}
              checked={answer.status === status}
              onChange={() => changeAnswer(itemId, call, { status })}
            />
            {call.question ? words.question.statuses[status] : words.answer.statuses[status]}
          </label>
        ))}
      </fieldset>
      <label htmlFor={answer.file ? undefined : `${id}-text`}>
        {labelOf(call, answer.status)}
        <span className="visually-hidden"> {words.armed.of(said(call.name))}</span>
      </label>
      {answer.file ? (
        <AttachedFile file={answer.file} />
      ) : (
        <textarea
          ref={text}
          id={`${id}-text`}
          data-testid="answer-text"
          rows={2}
          value={answer.text}
          onChange={(event) => changeAnswer(itemId, call, { text: event.target.value })}
        />
      )}
      {refusal && (
        <p className="refused" role="alert" data-testid="attach-refused">
          <Marked text={refusal.text} />
        </p>
      )}
      <div className="attach-line">
        <button
          type="button"
          className="btn quiet"
          data-testid="attach"
          aria-disabled={asking}
          onClick={() => {
            // Not switched off: the keyboard stays on it, and is there when the dialog closes.
            if (!asking) void attach(pickFile());
          }}
        >
          {answer.file ? words.answer.another : words.answer.attach}
        </button>
        {answer.file ? (
          <button type="button" className="btn quiet" data-testid="take-away" onClick={takeAway}>
            {words.answer.takeAway}
          </button>
        ) : (
          <span className="faint">{words.answer.dropHere}</span>
        )}
      </div>
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
