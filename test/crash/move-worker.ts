import { pointTo } from '../../electron/data-folder.js';
import { moveFolder } from '../../electron/keep/move-folder.js';

/** Moves a data folder and ends, as a power cut would, at one step: `from to step config`. */
const [from = '', to = '', step = '', home = ''] = process.argv.slice(2);
const point = (path: string): void => pointTo(path, { env: {}, platform: 'linux', home });
const moved = await moveFolder({
  from,
  to,
  by: 'Ada',
  point,
  at: (reached) => {
    if (reached === step) process.kill(process.pid, 'SIGKILL');
  },
});
process.stdout.write(JSON.stringify(moved));
