import { useEffect, useRef, useState } from 'react';
import { noteRefusal } from '../app/toast-store.js';
import { call as ask } from '../bridge.js';
import { Marked } from '../run/Marked.js';
import { text as words } from '../text.js';
import { useSettings } from './settings-store.js';

const t = words.keeping.move;

type Step =
  | { at: 'idle' }
  | { at: 'chosen'; path: string }
  | { at: 'wrong'; text: string }
  | { at: 'moving' }
  | { at: 'moved'; text: string };

/** Another place for the data folder: chosen, looked at, and moved only after a second act. */
export function MoveFolder() {
  const [step, setStep] = useState<Step>({ at: 'idle' });
  const confirm = useRef<HTMLButtonElement>(null);
  const loadHealth = useSettings((state) => state.loadHealth);
  useEffect(() => {
    if (step.at === 'chosen') confirm.current?.focus();
  }, [step]);
  async function choose(): Promise<void> {
    const reply = await ask('folder:choose');
    if (!reply.ok) setStep({ at: 'wrong', text: reply.refusal.text });
    else if (reply.value === null) setStep({ at: 'idle' });
    else if (reply.value.wrong !== null) setStep({ at: 'wrong', text: reply.value.wrong });
    else setStep({ at: 'chosen', path: reply.value.path });
  }
  async function move(path: string): Promise<void> {
    setStep({ at: 'moving' });
    const reply = await ask('folder:move', path);
    if (reply.ok) setStep({ at: 'moved', text: t.moved(reply.value.to, reply.value.files) });
    else {
      setStep({ at: 'idle' });
      noteRefusal(reply.refusal);
    }
    await loadHealth();
  }
  return (
    <div className="setting">
      <span className="name">{t.name}</span>
      <button type="button" className="btn" disabled={step.at === 'moving'} onClick={() => void choose()}>
        {step.at === 'moving' ? t.moving : t.button}
      </button>
      <span className="faint">{t.hint}</span>
      {step.at === 'chosen' && (
        <span className="sure">
          <Marked text={t.sure(step.path)} />{' '}
          <button
            ref={confirm}
            type="button"
            className="btn danger"
            onClick={(event) => event.detail < 2 && void move(step.path)}
          >
            {t.confirm}
          </button>{' '}
          <button type="button" className="btn" onClick={() => setStep({ at: 'idle' })}>
            {words.cancel}
          </button>
        </span>
      )}
      <span className="told" role="status">
        {(step.at === 'moved' || step.at === 'wrong') && <Marked text={step.text} />}
      </span>
    </div>
  );
}
