import { useId, useState } from 'react';
import type { CallView } from '../../shared/ipc.js';
import { text as words } from '../text.js';
import { useDecision } from './decision-store.js';
import type { CallDraft } from './drafts.js';

/** A note that is kept with an approval and not sent. */
export function ApproveNote({ itemId, call, draft }: { itemId: string; call: CallView; draft: CallDraft }) {
  const [open, setOpen] = useState(draft.note !== '');
  const editDraft = useDecision((s) => s.editDraft);
  const id = useId();
  if (!open)
    return (
      <button type="button" className="btn quiet" onClick={() => setOpen(true)}>
        {words.bar.note}
      </button>
    );
  return (
    <span className="approve-note">
      <label htmlFor={id}>{words.bar.noteLabel}</label>
      <input
        id={id}
        data-testid="note"
        value={draft.note}
        onChange={(event) => editDraft(itemId, call, { note: event.target.value })}
      />
    </span>
  );
}
