import { useSettings } from '../settings/settings-store.js';
import { text as words } from '../text.js';
import { useNow } from './clock.js';
import { FolderPath } from './FolderPath.js';
import { ageOf, count } from './format.js';

export function StatusBar() {
  const { health, settings, version } = useSettings();
  const now = useNow(15_000);
  return (
    <footer className="status-bar">
      {health && (
        <>
          <span>{words.footer.store(count(health.runs), health.unreadable)}</span>
          <span>{words.footer.gc(health.gc, ageOf(health.gc.lastAt, now))}</span>
        </>
      )}
      <span>{words.footer.undo(settings.undoSeconds)}</span>
      <span className="spacer" />
      {health && <FolderPath path={health.dataFolder} />}
      {settings.singleKeys && <span>{words.footer.keys}</span>}
      <span>{version}</span>
    </footer>
  );
}
