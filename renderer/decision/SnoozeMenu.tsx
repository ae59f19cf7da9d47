import { useEffect, useId, useRef, useState } from 'react';
import { focusCard } from '../app/focus.js';
import { when } from '../app/format.js';
import { note, noteRefusal } from '../app/toast-store.js';
import { call as ask } from '../bridge.js';
import { useQueue } from '../queue/queue-store.js';
import { useRun } from '../run/run-store.js';
import { text as words } from '../text.js';
import { leave } from './actions.js';
import { IDLE, useDecision } from './decision-store.js';
import { SNOOZES, snoozeAt, snoozeUntil } from './snooze.js';

/** "Not now" is not a no: the item goes out of sight until then, and nothing is decided. */
export function SnoozeMenu({ itemId, snoozedUntil }: { itemId: string; snoozedUntil: string | null }) {
  const menu = useRef<HTMLDivElement>(null);
  useEffect(() => menu.current?.querySelector('button')?.focus(), []);

  async function snooze(until: string | null): Promise<void> {
    const reply = await ask('run:snooze', itemId, until);
    useDecision.getState().setMode(IDLE);
    if (!reply.ok) noteRefusal(reply.refusal);
    else note(until === null ? words.snooze.woken : words.snooze.done(when(until)));
    await useQueue.getState().load();
    if (reply.ok && until !== null) await useQueue.getState().selectNextOpen();
    else await useRun.getState().reload();
    focusCard();
  }

  return (
    <div className="snooze" data-menu>
      <div
        ref={menu}
        role="menu"
        className="snooze-menu"
        aria-label={words.snooze.label}
        onKeyDown={(event) => {
          const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
          if (step === undefined) return;
          event.preventDefault();
          const items = [...(menu.current?.querySelectorAll('button') ?? [])];
          const at = items.indexOf(document.activeElement as HTMLButtonElement);
          items[(at + step + items.length) % items.length]?.focus();
        }}
      >
        {SNOOZES.map((choice) => (
          <button
            key={choice}
            type="button"
            role="menuitem"
            className="btn"
            onClick={() => void snooze(snoozeUntil(choice, new Date()))}
          >
            {words.snooze.choice[choice]}
          </button>
        ))}
        {snoozedUntil !== null && (
          <button type="button" role="menuitem" className="btn" onClick={() => void snooze(null)}>
            {words.snooze.wake}
          </button>
        )}
        <button type="button" role="menuitem" className="btn quiet" onClick={leave}>
          {words.cancel}
        </button>
      </div>
      <SnoozeAt snooze={(until) => void snooze(until)} />
    </div>
  );
}

/** A time of one's own. */
function SnoozeAt({ snooze }: { snooze: (until: string) => void }) {
  const [typed, setTyped] = useState('');
  const [said, setSaid] = useState('');
  const id = useId();
  return (
    <form
      className="snooze-at"
      onSubmit={(event) => {
        event.preventDefault();
        const until = snoozeAt(typed, new Date());
        if (until === null) setSaid(words.snooze.past);
        else snooze(until);
      }}
    >
      <label htmlFor={id}>{words.snooze.until}</label>
      <input id={id} type="datetime-local" value={typed} onChange={(event) => setTyped(event.target.value)} />
      <button type="submit" className="btn">
        {words.snooze.untilThen}
      </button>
      <span className="refused" role="alert">
        {said}
      </span>
    </form>
  );
}
