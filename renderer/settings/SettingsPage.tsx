import { CARD_ID } from '../app/focus.js';
import { RulesSection } from '../rules/RulesSection.js';
import { text as words } from '../text.js';
import { AttentionSection } from './AttentionSection.js';
import { CleanUp } from './CleanUp.js';
import { DataFolder } from './DataFolder.js';
import { Diagnose } from './Diagnose.js';
import { General } from './General.js';
import { Keys } from './Keys.js';
import { Models } from './Models.js';
import { Servers } from './Servers.js';
import { Signatures } from './Signatures.js';
import { Sources } from './Sources.js';
import { useSettings } from './settings-store.js';
import { TeamEngine } from './TeamEngine.js';
import { ToolTable } from './ToolTable.js';

export function SettingsPage() {
  const { loaded, refusal } = useSettings();
  return (
    <main id={CARD_ID} tabIndex={-1} className="page settings" data-testid="settings" aria-label={words.settings.title}>
      <h1>{words.settings.title}</h1>
      {refusal && (
        <p className="refused" role="alert">
          {refusal.text}
        </p>
      )}
      {loaded ? (
        <>
          <General />
          <DataFolder />
          <AttentionSection />
          <Keys />
          <Signatures />
          <ToolTable />
          <RulesSection />
          <Sources />
          <Servers />
          <Models />
          <TeamEngine />
          <CleanUp />
          <Diagnose />
        </>
      ) : (
        <p role="status">{words.loading}</p>
      )}
    </main>
  );
}
