import { useId, useState } from 'react';
import { focusCard } from '../app/focus.js';
import { noteRefusal, note as say } from '../app/toast-store.js';
import { call as ask } from '../bridge.js';
import { GuardedButton } from '../decision/GuardedButton.js';
import { useGuard } from '../decision/guard-store.js';
import { useQueue } from '../queue/queue-store.js';
import { useRun } from '../run/run-store.js';
import { said } from '../run/said.js';
import { text as words } from '../text.js';
import type { UnknownCall } from './unknown-calls.js';

const HOW = ['it_ran', 'it_did_not', 'give_up'] as const;
type How = (typeof HOW)[number];

/** The three things a person can say about one call, each with a note and a confirmation of its own. */
export function Settle({ itemId, call }: { itemId: string; call: UnknownCall }) {
  const [chosen, setChosen] = useState<How | null>(null);
  const [result, setResult] = useState('');
  const [note, setNote] = useState('');
  const [busy, setBusy] = useState(false);
  const id = useId();

  async function settle(how: How): Promise<void> {
    setBusy(true);
    const kept = note.trim() === '' ? {} : { note: note.trim() };
    const settlement = how === 'it_ran' ? { how, result, ...kept } : { how, ...kept };
    const reply = await ask('resume:reconcile', itemId, call.index, settlement);
    setBusy(false);
    if (reply.ok) say(words.reconcile.settled(call.name, how));
    else noteRefusal(reply.refusal);
    await Promise.all([useRun.getState().reload(), useQueue.getState().load()]);
    focusCard();
  }

  return (
    <section className="settle" aria-label={words.reconcile.actions(said(call.name))}>
      {HOW.map((option) => (
        <div key={option} className={chosen === option ? 'option open' : 'option'}>
          <button
            type="button"
            className="btn"
            aria-expanded={chosen === option}
            onClick={() => setChosen(chosen === option ? null : option)}
          >
            {words.reconcile.how(option)}
          </button>
          <p className="faint">{words.reconcile.means[option]}</p>
          {chosen === option && (
            <div className="settle-form">
              {option === 'it_ran' && (
                <label htmlFor={`${id}-result`}>
                  {words.reconcile.result}
                  <textarea
                    id={`${id}-result`}
                    data-testid="reconcile-result"
                    rows={4}
                    value={result}
                    onChange={(event) => setResult(event.target.value)}
                  />
                </label>
              )}
              <label htmlFor={`${id}-note`}>
                {words.reconcile.note}
                <input id={`${id}-note`} value={note} onChange={(event) => setNote(event.target.value)} />
              </label>
              <GuardedButton
                className={option === 'give_up' ? 'btn danger' : 'btn'}
                testId="reconcile-confirm"
                off={busy || (option === 'it_ran' && result.trim() === '')}
                onGesture={(gesture) => {
                  const attempt = gesture('');
                  if (useGuard.getState().refuses(attempt) === null) void settle(option);
                }}
              >
                {words.reconcile.confirm[option]}
              </GuardedButton>
            </div>
          )}
        </div>
      ))}
    </section>
  );
}
