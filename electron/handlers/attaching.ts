import { accepted } from '../../shared/refusal.js';
import { attachedFrom, readAttached } from '../attached-file.js';
import type { Handlers } from '../ipc.js';
import { chooseFiles } from './choose-files.js';

type Attaching = Pick<Handlers, 'answer:pick' | 'answer:bytes'>;

/** Files that a reviewer gives as the result of a call. */
export function attaching(): Attaching {
  return {
    'answer:pick': async () => {
      const [path] = await chooseFiles('Attach a file as the result');
      return path === undefined ? accepted(null) : readAttached(path);
    },
    'answer:bytes': async (name, bytes) => attachedFrom(name, bytes),
  };
}
