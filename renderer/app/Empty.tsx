import { useState } from 'react';
import { useSettings } from '../settings/settings-store.js';
import { text as words } from '../text.js';
import { CARD_ID } from './focus.js';
import { addSamples, pickFiles } from './intake.js';

/** An empty store: one action, and where an agent puts its runs. */
export function Empty() {
  const health = useSettings((s) => s.health);
  const [busy, setBusy] = useState(false);
  return (
    <main className="empty" id={CARD_ID} tabIndex={-1} data-testid="empty" aria-label={words.empty.title}>
      <h1>{words.empty.title}</h1>
      <p>{words.empty.words}</p>
      <div className="buttons">
        <button
          type="button"
          className="btn solid"
          data-testid="samples"
          disabled={busy}
          onClick={() => {
            setBusy(true);
            void addSamples().finally(() => setBusy(false));
          }}
        >
          {words.empty.samples}
        </button>
        <button type="button" className="btn" onClick={() => void pickFiles()}>
          {words.intake.open}
        </button>
      </div>
      <p className="faint">{words.empty.samplesMean}</p>
      <h2>{words.empty.agentTitle}</h2>
      <p>{words.empty.agent}</p>
      <p className="mono path">{words.empty.inbox(health?.dataFolder ?? '…')}</p>
      <p className="faint">{words.empty.drop}</p>
    </main>
  );
}
