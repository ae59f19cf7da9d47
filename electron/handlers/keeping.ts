import { accepted, refused } from '../../shared/refusal.js';
import type { Handlers } from '../answering.js';
import { eachHistory } from '../checkpoints/history.js';
import { historyText, writeWhole } from '../keep/export-history.js';
import { guarded } from '../store/refusal.js';
import type { Context } from './context.js';

type Keeping = Pick<Handlers, 'history:export'>;

/** What is written outside the data folder, at a place that the person chose. */
export function keeping(context: Context): Keeping {
  return {
    'history:export': (filter, format) =>
      guarded(async () => {
        const path = await context.shell.system.choosePlace('Export the history', `holdpoint-history.${format}`);
        if (path === null) return accepted(null);
        let events = 0;
        const parts = historyText(eachHistory(context.store), filter, format, (count) => {
          events = count;
        });
        const failed = await notWritten(path, () => writeWhole(path, parts, { replace: true }));
        return failed ?? accepted(events);
      }),
  };
}

async function notWritten(path: string, act: () => Promise<void>) {
  try {
    await act();
    return null;
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    return refused('fault', `${path} cannot be written: ${error.message}. Nothing was exported.`);
  }
}
