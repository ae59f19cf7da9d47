import { useState } from 'react';
import { noteRefusal } from '../app/toast-store.js';
import { call as ask } from '../bridge.js';
import { copyText } from '../run/copy.js';
import { text as words } from '../text.js';

const t = words.settings.diagnose;

/** A report about this Holdpoint, shown whole before it is copied. */
export function Diagnose() {
  const [report, setReport] = useState('');
  async function make(): Promise<void> {
    const reply = await ask('app:diagnose');
    if (reply.ok) setReport(reply.value);
    else noteRefusal(reply.refusal);
  }
  return (
    <section className="section" aria-label={t.title}>
      <h2>{t.title}</h2>
      <p className="faint">{t.hint}</p>
      {report !== '' && (
        <textarea className="mono" readOnly rows={12} aria-label={t.report} data-testid="diagnosis" value={report} />
      )}
      <div className="buttons">
        <button type="button" className="btn" onClick={() => void make()}>
          {report === '' ? t.make : t.again}
        </button>
        {report !== '' && (
          <button type="button" className="btn" onClick={() => void copyText(report)}>
            {t.copy}
          </button>
        )}
      </div>
    </section>
  );
}
