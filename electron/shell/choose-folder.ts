import { dialog } from 'electron';
import type { Refusal } from '../../shared/refusal.js';
import { pointTo } from '../data-folder.js';

const CHOOSE = 0;
const QUIT = 1;

/**
 * Asks what to do when the data folder cannot be used: another one may be chosen where the pointer file, or nobody, named it
 * (`facts.choose`). True: the pointer names the chosen one, and Holdpoint can be started again. The old folder stays as it is.
 */
export async function choseAnotherFolder({ text, facts }: Refusal): Promise<boolean> {
  if (facts['choose'] !== true) return false;
  const { response } = await dialog.showMessageBox({
    type: 'error',
    title: 'Holdpoint cannot start',
    message: 'Holdpoint cannot use its data folder.',
    detail: `${text}\n\nNothing in it was changed. Another folder begins empty, or goes on with what Holdpoint has there.`,
    buttons: ['Choose another folder…', 'Quit'],
    defaultId: QUIT,
    cancelId: QUIT,
    noLink: true,
  });
  if (response !== CHOOSE) return false;
  const { filePaths } = await dialog.showOpenDialog({
    title: 'Choose the data folder',
    properties: ['openDirectory', 'createDirectory'],
  });
  const [path] = filePaths;
  // Closed without a choice: asked again, with what was wrong.
  if (path === undefined) return choseAnotherFolder({ code: 'bad_request', text, facts });
  pointTo(path);
  return true;
}
