import { useEffect } from 'react';
import { call as ask, listen } from '../bridge.js';
import { leave } from '../decision/actions.js';
import { flushDrafts } from '../decision/save-draft.js';
import { useQueue } from '../queue/queue-store.js';
import { useRules } from '../rules/rules-store.js';
import { useRun } from '../run/run-store.js';
import { useKeep } from '../settings/keep-store.js';
import { useSettings } from '../settings/settings-store.js';
import { coalesce } from './coalesce.js';
import { focusCard } from './focus.js';
import { useUi } from './ui-store.js';

const MERGE_EVERY_MS = 2_000;

/** Loads everything once, and again what an event of the main process says has changed. */
export function useLiveData(): void {
  useEffect(() => {
    const { load: loadSettings, loadHealth } = useSettings.getState();
    const runs = coalesce(async () => {
      await Promise.all([useQueue.getState().load(), useRun.getState().reload(), loadHealth()]);
    });
    const settings = coalesce(async () => {
      await Promise.all([loadSettings(), useRules.getState().load()]);
    });
    const health = coalesce(loadHealth);
    const wanted = coalesce(showWanted);
    const keep = coalesce(useKeep.getState().load);
    runs();
    settings();
    wanted();
    const stop = [
      listen('app:wanted', wanted),
      listen('runs:changed', runs),
      listen('settings:changed', settings),
      listen('gc:changed', health),
      listen('keep:changed', keep),
      listen('menu:back-up', () => keepFolder('back_up')),
      listen('menu:bring-in', () => keepFolder('bring_in')),
    ];
    const timer = setInterval(() => void useQueue.getState().mergeWhenIdle(), MERGE_EVERY_MS);
    const onHide = (): void => void flushDrafts();
    window.addEventListener('pagehide', onHide);
    return () => {
      for (const end of stop) end();
      clearInterval(timer);
      window.removeEventListener('pagehide', onHide);
    };
  }, []);
}

/** The menu bar asks for what the settings do: there it is begun, and seen. */
function keepFolder(wanted: 'back_up' | 'bring_in'): void {
  leave();
  useUi.setState({ help: false, palette: false });
  useUi.getState().goTo('settings');
  useKeep.setState({ wanted });
}

/** Shows what a notification was about. What is begun on another card is left; nothing is decided. */
async function showWanted(): Promise<void> {
  const reply = await ask('app:wanted');
  if (!reply.ok || reply.value === null) return;
  leave();
  useUi.setState({ page: 'queue', pane: 'card', help: false, palette: false, rule: null, filters: false });
  useQueue.getState().setView('needs_me');
  useQueue.getState().select(reply.value);
  focusCard();
}
