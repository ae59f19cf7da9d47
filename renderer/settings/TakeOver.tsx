import { useState } from 'react';
import { noteRefusal } from '../app/toast-store.js';
import { call as ask } from '../bridge.js';
import { useQueue } from '../queue/queue-store.js';
import { Marked } from '../run/Marked.js';
import { text as words } from '../text.js';
import { useSettings } from './settings-store.js';

const t = words.settings.general;

/** A store that was copied, restored or moved stays read-only until a person takes it over by name (H16). */
export function TakeOver() {
  const readOnly = useSettings((s) => s.health?.readOnly ?? null);
  const reviewer = useSettings((s) => s.settings.reviewer.trim());
  const loadHealth = useSettings((s) => s.loadHealth);
  const [armed, setArmed] = useState(false);
  if (readOnly === null) return null;
  async function takeOver(): Promise<void> {
    const reply = await ask('store:take-over');
    if (!reply.ok) noteRefusal(reply.refusal);
    setArmed(false);
    await Promise.all([loadHealth(), useQueue.getState().load()]);
  }
  return (
    <div className="take-over">
      <p className="warn">
        <Marked text={readOnly} />
      </p>
      <p className="faint">{reviewer === '' ? t.takeOverName : t.takeOverMeans}</p>
      {armed ? (
        <button type="button" className="btn danger" onClick={(event) => event.detail < 2 && void takeOver()}>
          {t.takeOverConfirm(reviewer)}
        </button>
      ) : (
        <button type="button" className="btn" disabled={reviewer === ''} onClick={() => setArmed(true)}>
          {t.takeOver}
        </button>
      )}
    </div>
  );
}
