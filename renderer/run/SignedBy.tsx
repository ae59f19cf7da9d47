import type { RunDetail } from '../../shared/ipc.js';
import { when } from '../app/format.js';
import { note, noteRefusal } from '../app/toast-store.js';
import { call as ask } from '../bridge.js';
import { text as words } from '../text.js';
import { Marked } from './Marked.js';

const t = words.signed;

/** Who signed the decision, why it counts for nothing, and whose signature it still waits for. */
export function SignedBy({ detail: { signatures = [], tampered, second, row } }: { detail: RunDetail }) {
  async function save(): Promise<void> {
    const reply = await ask('decision:save', row.id);
    if (!reply.ok) noteRefusal(reply.refusal);
    else if (reply.value) note(t.saved);
  }
  return (
    <div data-testid="signed">
      {tampered && (
        <p className="warn" role="alert">
          <Marked text={tampered.text} />
        </p>
      )}
      {signatures.map((one) => (
        <p key={`${one.keyId} ${one.at}`} className={one.state === 'good' ? 'faint' : 'warn'}>
          {t[one.state]} <Marked line text={one.name} /> (<span className="mono">{one.keyId}</span>) · {when(one.at)}
        </p>
      ))}
      {second && (
        <>
          <p className="warn">
            {t.second} <Marked line text={second.join(', ')} />
          </p>
          <button type="button" className="btn" onClick={() => void save()}>
            {t.save}
          </button>
        </>
      )}
    </div>
  );
}
