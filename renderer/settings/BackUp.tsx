import { useEffect, useState } from 'react';
import { STATUSES, type Status } from '../../shared/states.js';
import { noteRefusal } from '../app/toast-store.js';
import { call as ask } from '../bridge.js';
import { text as words } from '../text.js';
import { useKeep } from './keep-store.js';

const t = words.keeping.backup;

/** Everything, or the runs that stand so, as one file. */
export function BackUp() {
  const [status, setStatus] = useState<Status | null>(null);
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState('');
  async function backUp(): Promise<void> {
    setBusy(true);
    const reply = await ask('backup:export', status);
    setBusy(false);
    if (!reply.ok) noteRefusal(reply.refusal);
    else if (reply.value !== null)
      setSaid(t.done(reply.value.records, reply.value.payloads, reply.value.files, reply.value.left.length));
  }
  const wanted = useKeep((state) => state.wanted);
  // biome-ignore lint/correctness/useExhaustiveDependencies: begun once for each time it is wanted
  useEffect(() => {
    if (wanted === 'back_up' && useKeep.getState().take('back_up')) void backUp();
  }, [wanted]);
  return (
    <div className="setting">
      <span className="name">{t.name}</span>
      <span className="keep-acts">
        <select
          aria-label={t.which}
          value={status ?? ''}
          onChange={(event) => setStatus(STATUSES.find((one) => one === event.target.value) ?? null)}
        >
          <option value="">{t.all}</option>
          {STATUSES.filter((one) => one !== 'unreadable').map((one) => (
            <option key={one} value={one}>
              {words.status[one]}
            </option>
          ))}
        </select>
        <button type="button" className="btn" disabled={busy} onClick={() => void backUp()}>
          {busy ? t.busy : t.button}
        </button>
      </span>
      <span className="faint">{t.hint}</span>
      <span className="told" role="status">
        {said}
      </span>
    </div>
  );
}
