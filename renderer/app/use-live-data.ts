import { useEffect } from 'react';
import { listen } from '../bridge.js';
import { flushDrafts } from '../decision/save-draft.js';
import { useQueue } from '../queue/queue-store.js';
import { useRun } from '../run/run-store.js';
import { useSettings } from '../settings/settings-store.js';
import { coalesce } from './coalesce.js';

const MERGE_EVERY_MS = 2_000;

/** Loads everything once, and again what an event of the main process says has changed. */
export function useLiveData(): void {
  useEffect(() => {
    const { load: loadSettings, loadHealth } = useSettings.getState();
    const runs = coalesce(async () => {
      await Promise.all([useQueue.getState().load(), useRun.getState().reload(), loadHealth()]);
    });
    const settings = coalesce(loadSettings);
    const health = coalesce(loadHealth);
    runs();
    settings();
    const stop = [listen('runs:changed', runs), listen('settings:changed', settings), listen('gc:changed', health)];
    const timer = setInterval(() => useQueue.getState().mergeWhenIdle(), MERGE_EVERY_MS);
    const onHide = (): void => void flushDrafts();
    window.addEventListener('pagehide', onHide);
    return () => {
      for (const end of stop) end();
      clearInterval(timer);
      window.removeEventListener('pagehide', onHide);
    };
  }, []);
}
