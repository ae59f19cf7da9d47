import { app } from 'electron';
import { INVOKE_CHANNELS } from '../shared/channels.js';
import { accepted, type Outcome, refused } from '../shared/refusal.js';
import type { Handlers } from './ipc.js';
import type { Holdpoint, Shell } from './shell/holdpoint.js';

/** Builds what the window talks to. Refused when it must not start; the text is shown, and the application quits. */
export async function startHoldpoint(shell: Shell): Promise<Outcome<Holdpoint>> {
  const notYet = Object.fromEntries(
    INVOKE_CHANNELS.map((channel) => [channel, () => refused('fault', 'not wired yet')]),
  ) as unknown as Handlers;
  const handlers: Handlers = {
    ...notYet,
    'app:info': () =>
      accepted({
        version: app.getVersion(),
        electron: process.versions.electron ?? '',
        packaged: app.isPackaged,
        platform: process.platform,
      }),
  };
  return accepted({
    handlers,
    openFiles: (paths) => shell.log(`not wired yet: ${paths.length} files`),
    woke: () => shell.log('not wired yet: woke up'),
    close: () => Promise.resolve(),
  });
}
