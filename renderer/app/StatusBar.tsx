import { keysFor, keyTable } from '../keys.js';
import { useRules } from '../rules/rules-store.js';
import { useSettings } from '../settings/settings-store.js';
import { text as words } from '../text.js';
import { useNow } from './clock.js';
import { FolderPath } from './FolderPath.js';
import { ageOf, count } from './format.js';

export function StatusBar() {
  const { health, settings, version } = useSettings();
  const now = useNow(15_000);
  const paused = useRules((s) => s.paused);
  const live = useRules((s) => s.rules.filter(({ standing }) => standing === 'live').length);
  const keys = keyTable(settings.keys);
  const [down = '', up = '', help = '', find = ''] = (['down', 'up', 'help', 'palette'] as const).map((action) =>
    keysFor(action, keys).join(' '),
  );
  return (
    <footer className="status-bar">
      {health && (
        <>
          <span>{words.footer.store(count(health.runs), health.unreadable)}</span>
          <span>{words.footer.gc(health.gc, ageOf(health.gc.lastAt, now))}</span>
        </>
      )}
      <span>{words.footer.undo(settings.undoSeconds)}</span>
      {(live > 0 || paused) && (
        <span className="rules-status" data-testid="rules-status">
          {words.rules.status(live, paused)}
        </span>
      )}
      <span className="spacer" />
      {health && <FolderPath path={health.dataFolder} />}
      {settings.singleKeys && <span>{words.footer.keys(`${down} ${up}`, help, find)}</span>}
      <span>{version}</span>
    </footer>
  );
}
