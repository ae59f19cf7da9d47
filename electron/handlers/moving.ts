import { accepted, type Outcome, refused } from '../../shared/refusal.js';
import type { Handlers } from '../answering.js';
import { JOURNALS } from '../checkpoints/keys.js';
import { readJournalMeta } from '../checkpoints/meta.js';
import { pointTo } from '../data-folder.js';
import { moveFolder, whyNotThere } from '../keep/move-folder.js';
import { guarded } from '../store/refusal.js';
import type { Context } from './context.js';
import type { LongActs } from './under-way.js';

type Moving = Pick<Handlers, 'folder:choose' | 'folder:move'>;

/** Long enough for the answer to reach the page before the thread that gave it ends. Milliseconds. */
const ANSWERED_MS = 250;

/** Another place for the data folder: copied, compared, published, and only then gone on with. */
export function moving(context: Context, long: LongActs): Moving {
  return {
    'folder:choose': () =>
      guarded(async () => {
        const may = await mayMove(context);
        if (!may.ok) return may;
        const [path] = await context.shell.system.chooseFiles('Move the data folder to an empty folder', 'folder');
        return accepted(path === undefined ? null : { path, wrong: whyNotThere(context.dataFolder, path) });
      }),
    'folder:move': (to) =>
      guarded(async () => {
        const may = await mayMove(context);
        if (!may.ok) return may;
        const moved = await long.run('move', ({ progress, signal, goesOn }) =>
          moveFolder({
            from: context.dataFolder,
            to,
            by: context.settings.get().reviewer.trim(),
            point: pointTo,
            progress,
            signal,
            at: (step) => step === 'staged' && goesOn(),
          }),
        );
        if (moved.ok) setTimeout(() => context.relaunch(), ANSWERED_MS);
        return moved;
      }),
  };
}

/** Refused while a call is on its way, here or in an agent; and where the folder's name is not Holdpoint's to change. */
async function mayMove({ settings, store, runner, folderRule, dataFolder }: Context): Promise<Outcome<null>> {
  if (folderRule === 'option' || folderRule === 'environment') {
    const by = folderRule === 'option' ? '--data' : 'HOLDPOINT_DATA';
    return refused('not_allowed', `This folder was named by ${by}; only who named it can name another one.`, {
      dataFolder,
    });
  }
  if (settings.get().reviewer.trim() === '')
    return refused('not_allowed', 'Enter your name first: a move carries one.', { missing: 'reviewer' });
  if (store.readOnlyReason !== null)
    return refused('store_read_only', `The store is read-only: ${store.readOnlyReason}. Take it over first.`);
  if (runner.isBusy) return refused('not_allowed', ON_ITS_WAY);
  for (let cursor: string | null = null; ; ) {
    const page = await store.keysPage(JOURNALS, cursor, 256);
    if (page.heads.some(({ meta }) => readJournalMeta(meta)?.startedAt != null))
      return refused('not_allowed', ON_ITS_WAY);
    if (page.next === null) return accepted(null);
    cursor = page.next;
  }
}

const ON_ITS_WAY = 'A call is on its way. The folder can be moved when its outcome is saved.';
