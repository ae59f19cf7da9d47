import { useState } from 'react';
import type { HistoryFilter } from '../../shared/history-filter.js';
import { noteRefusal } from '../app/toast-store.js';
import { call as ask } from '../bridge.js';
import { text as words } from '../text.js';

const t = words.history;

/** Writes what the filters let through to a file; main asks for the place. */
export function ExportHistory({ filter, depth }: { filter: HistoryFilter; depth: boolean }) {
  const [format, setFormat] = useState<'jsonl' | 'csv'>('jsonl');
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState('');
  async function write(): Promise<void> {
    setBusy(true);
    const reply = await ask('history:export', filter, format);
    setBusy(false);
    if (!reply.ok) noteRefusal(reply.refusal);
    else if (reply.value !== null) setSaid(t.exported(reply.value));
  }
  return (
    <div className="export">
      <select
        aria-label={t.format}
        value={format}
        onChange={(event) => setFormat(event.target.value === 'csv' ? 'csv' : 'jsonl')}
      >
        <option value="jsonl">{t.formats.jsonl}</option>
        <option value="csv">{t.formats.csv}</option>
      </select>
      <button type="button" className="btn" disabled={busy} onClick={() => void write()}>
        {busy ? t.exporting : t.export}
      </button>
      <span role="status" className="faint">
        {said}
      </span>
      {depth && <span className="faint">{t.depth}</span>}
    </div>
  );
}
