import { useEffect, useRef, useState } from 'react';
import type { RunDetail } from '../../shared/ipc.js';
import { when } from '../app/format.js';
import { useSettings } from '../settings/settings-store.js';
import { text as words } from '../text.js';
import { Marked } from './Marked.js';
import { claimGivenUp } from './run-actions.js';

/**
 * A claim of somebody else that holds this run. No record says that it was given up there; only a person can, in two
 * steps, with a name and a time in the history.
 */
export function ForeignClaim({ detail }: { detail: RunDetail }) {
  const claim = detail.foreignClaim;
  const [asked, setAsked] = useState<string | null>(null);
  const readOnly = useSettings((s) => s.health?.readOnly ?? null);
  if (claim === undefined) return null;
  return (
    <section className="outcome" data-testid="foreign-claim" aria-label={words.foreignClaim.title}>
      <h2>{words.foreignClaim.title}</h2>
      <p>
        <Marked text={`${claim.id}: ${claim.words}`} /> <span className="faint">{when(claim.at)}</span>
      </p>
      <p className="faint">{words.foreignClaim.means}</p>
      {asked === claim.digest ? (
        <GivenUp key={claim.digest} detail={detail} digest={claim.digest} onCancel={() => setAsked(null)} />
      ) : (
        <button
          type="button"
          className="btn"
          data-testid="claim-given-up"
          disabled={readOnly !== null}
          onClick={() => setAsked(claim.digest)}
        >
          {words.foreignClaim.act}
        </button>
      )}
    </section>
  );
}

function GivenUp({ detail, digest, onCancel }: { detail: RunDetail; digest: string; onCancel: () => void }) {
  const [note, setNote] = useState('');
  const [busy, setBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  // The button that was pressed is gone: the keyboard goes on in the form.
  useEffect(() => field.current?.focus(), []);
  return (
    <form
      className="inline-form"
      aria-label={words.foreignClaim.label}
      onSubmit={(event) => {
        event.preventDefault();
        if (busy) return;
        setBusy(true);
        void claimGivenUp(detail.row.id, digest, note).then((taken) => {
          setBusy(false);
          if (taken) onCancel();
        });
      }}
    >
      <p>{words.foreignClaim.warning}</p>
      <label>
        {words.foreignClaim.how}
        <input ref={field} value={note} maxLength={4000} onChange={(event) => setNote(event.target.value)} required />
      </label>
      <button type="submit" className="btn danger" data-testid="claim-given-up-confirm" disabled={busy}>
        {words.foreignClaim.confirm}
      </button>
      <button type="button" className="btn" onClick={onCancel}>
        {words.cancel}
      </button>
    </form>
  );
}
