import { useId } from 'react';
import { text as words } from '../text.js';
import { BackUp } from './BackUp.js';
import { BringIn } from './BringIn.js';
import { MoveFolder } from './MoveFolder.js';
import { useSettings } from './settings-store.js';
import { TakeOver } from './TakeOver.js';
import { UnderWay } from './UnderWay.js';

const t = words.keeping;

/** Where everything lies, how it is taken over, moved, backed up and brought back. */
export function DataFolder() {
  const folder = useSettings((state) => state.health?.dataFolder);
  const id = useId();
  return (
    <section className="section" aria-labelledby={id} data-testid="data-folder">
      <h2 id={id}>{t.title}</h2>
      <div className="setting">
        <span className="name">{words.settings.general.folder}</span>
        <span className="mono path">{folder ?? '…'}</span>
        <span className="faint">{words.settings.general.folderHint}</span>
      </div>
      <TakeOver />
      <MoveFolder />
      <BackUp />
      <BringIn />
      <UnderWay />
    </section>
  );
}
