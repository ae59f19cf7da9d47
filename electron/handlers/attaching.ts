import { accepted } from '../../shared/refusal.js';
import type { Handlers } from '../answering.js';
import { attachedFrom, readAttached } from '../attached-file.js';
import type { Context } from './context.js';

type Attaching = Pick<Handlers, 'answer:pick' | 'answer:bytes'>;

/** Files that a reviewer gives as the result of a call. */
export function attaching({ shell }: Pick<Context, 'shell'>): Attaching {
  return {
    'answer:pick': async () => {
      const [path] = await shell.system.chooseFiles('Attach a file as the result', 'one');
      return path === undefined ? accepted(null) : readAttached(path);
    },
    'answer:bytes': async (name, bytes) => attachedFrom(name, bytes),
  };
}
