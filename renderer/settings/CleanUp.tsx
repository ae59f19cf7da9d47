import { useState } from 'react';
import { useNow } from '../app/clock.js';
import { ageOf, when } from '../app/format.js';
import { noteRefusal } from '../app/toast-store.js';
import { call as ask } from '../bridge.js';
import { text as words } from '../text.js';
import { CheckField, NumberField } from './fields.js';
import { Section } from './Section.js';
import { useSettings } from './settings-store.js';

const t = words.settings.gc;

/** When old runs expire, how often that is looked at, and what the last sweep did. */
export function CleanUp() {
  return (
    <Section title={t.title} hint={t.hint} part={(s) => s.gc} withPart={(settings, gc) => ({ ...settings, gc })}>
      {(gc, change) => (
        <>
          <CheckField label={t.enabled} value={gc.enabled} onChange={(enabled) => change({ ...gc, enabled })} />
          <NumberField
            label={t.ttl}
            hint={t.ttlHint}
            min={0.01}
            step="any"
            value={gc.ttlHours}
            onChange={(ttlHours) => change({ ...gc, ttlHours })}
          />
          <NumberField
            label={t.interval}
            min={0.01}
            step="any"
            value={gc.intervalMinutes}
            onChange={(intervalMinutes) => change({ ...gc, intervalMinutes })}
          />
          <Sweep />
        </>
      )}
    </Section>
  );
}

function Sweep() {
  const gc = useSettings((s) => s.health?.gc);
  const noteGc = useSettings((s) => s.noteGc);
  const [busy, setBusy] = useState(false);
  const now = useNow(15_000);
  async function sweep(): Promise<void> {
    setBusy(true);
    const reply = await ask('gc:sweep');
    setBusy(false);
    if (reply.ok) noteGc(reply.value);
    else noteRefusal(reply.refusal);
  }
  return (
    <div className="setting">
      <span className="name">{t.last}</span>
      <span role="status" data-testid="gc-last">
        {gc ? words.footer.gc(gc, ageOf(gc.lastAt, now)) : words.loading} {gc?.text}
        {gc?.nextAt && <span className="faint"> {t.next(when(gc.nextAt))}</span>}
      </span>
      <button type="button" className="btn" disabled={busy} onClick={() => void sweep()}>
        {t.sweep}
      </button>
    </div>
  );
}
