import { useState } from 'react';
import type { TeamFinding } from '../../shared/team.js';
import { call as ask } from '../bridge.js';
import { Marked } from '../run/Marked.js';
import { text as words } from '../text.js';

const t = words.settings.team;
const CLASS = { good: 'ok', note: 'faint', bad: 'refused' } as const;

/** Tries the saved connection, and lists what is right and what is not. */
export function TeamTestButton({ off, unsaved }: { off: boolean; unsaved: boolean }) {
  const [findings, setFindings] = useState<TeamFinding[] | null>(null);
  const [busy, setBusy] = useState(false);
  async function test(): Promise<void> {
    setBusy(true);
    setFindings(null);
    const reply = await ask('team:test');
    const failed = reply.ok ? [] : [{ level: 'bad' as const, code: reply.refusal.code, text: reply.refusal.text }];
    setFindings(reply.ok ? reply.value.findings : failed);
    setBusy(false);
  }
  return (
    <div className="test">
      <button type="button" className="btn" disabled={off || busy} onClick={() => void test()}>
        {busy ? words.settings.testing : t.test}
      </button>
      {unsaved && <span className="faint">{words.settings.saveFirst}</span>}
      {findings && (
        <ul role="status" data-testid="team-result">
          {findings.map(({ level, code, text }) => (
            <li key={`${code} ${text}`} className={CLASS[level]}>
              {t.levels[level]} <Marked text={text} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
