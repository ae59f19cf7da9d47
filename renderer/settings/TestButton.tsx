import { useState } from 'react';
import { call as ask } from '../bridge.js';
import { Marked } from '../run/Marked.js';
import { text as words } from '../text.js';

/** Tries a saved server or endpoint, and shows what it answered. */
export function TestButton({
  channel,
  name,
  off,
}: {
  channel: 'server:test' | 'model:test';
  name: string;
  off: boolean;
}) {
  const [said, setSaid] = useState<{ ok: boolean; text: string; tools: string[] } | null>(null);
  const [busy, setBusy] = useState(false);
  async function test(): Promise<void> {
    setBusy(true);
    setSaid(null);
    const reply = await ask(channel, name);
    setSaid(reply.ok ? reply.value : { ok: false, text: reply.refusal.text, tools: [] });
    setBusy(false);
  }
  return (
    <div className="test">
      <button
        type="button"
        className="btn"
        disabled={off || busy}
        aria-label={words.settings.testLabel(name)}
        onClick={() => void test()}
      >
        {busy ? words.settings.testing : words.settings.test}
      </button>
      {off && <span className="faint">{words.settings.saveFirst}</span>}
      {said && (
        <span className={said.ok ? 'ok' : 'refused'} role="status" data-testid="test-result">
          <Marked text={said.text} />
          {said.tools.length > 0 && (
            <>
              {' '}
              <Marked text={said.tools.join(', ')} />
            </>
          )}
        </span>
      )}
    </div>
  );
}
