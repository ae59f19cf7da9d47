import { parentPort } from 'node:worker_threads';
import { openStore } from '../store/file-store.js';
import { makeLink } from '../worker/link.js';
import type { ListActs, SearchActs } from './search-acts.js';
import { SearchKeeper } from './search-keeper.js';

/** The thread that reads records into the search index and answers what is looked for. It writes nothing to the store. */
if (parentPort === null) throw new Error('this is a worker, and no program of its own');
let keeper: SearchKeeper | null = null;
let told = 0;
const TELL_MS = 500;

const list = makeLink<ListActs>(parentPort, {
  open: async (folder, storeId, path) => {
    const store = await openStore(folder, { readOnly: true, pollMs: 2 ** 30 });
    const progress = (done: number, all: number): void => {
      if (all > 0 && performance.now() - told < TELL_MS) return;
      told = performance.now();
      list.tell('progress', [done, all]);
    };
    keeper = new SearchKeeper({ store, storeId, path, progress });
  },
  want: (wanted, gone) => keeper?.want(wanted, gone),
  find: (words) => keeper?.find(words) ?? words.map(() => new Uint8Array()),
  close: () => keeper?.save(),
} satisfies SearchActs);
