import { Worker } from 'node:worker_threads';
import { type Link, makeLink } from '../worker/link.js';
import type { Entry } from './entry.js';
import { findsInFields, partsOf } from './field-search.js';
import type { Search } from './queue.js';
import type { Finds } from './run-list.js';
import type { ListActs, SearchActs } from './search-acts.js';
import type { Wanted } from './search-keeper.js';

export interface SearchPlan {
  /** The built thread, an absolute path or URL. */
  file: string | URL;
  store: string;
  storeId: string;
  /** Where the index is kept. */
  path: string;
  /** It is further, or came to its end. */
  progress(): void;
  log(text: string): void;
}

export interface RunSearch extends Search {
  /** An entry's text is to be found, or (digest null) no more. */
  note(entry: Entry, digest: string | null): void;
  close(): Promise<void>;
}

/** So often, in milliseconds, what changed is handed over. */
const HAND_OVER_MS = 30;
/** Closing waits so long for the index to be written; without it, records are read again. */
const CLOSING_MS = 2_000;

/** Asks the thread that searches. Should it end, what the list itself knows is still found, and the log says why. */
export function openSearch(plan: SearchPlan): RunSearch {
  const worker = new Worker(plan.file, { name: 'search' });
  worker.unref();
  let indexing: Search['indexing'] = null;
  let alive = true;
  const link: Link<SearchActs> = makeLink<SearchActs>(worker, {
    progress: (done, all) => {
      indexing = all > 0 ? { done, all } : null;
      plan.progress();
    },
  } satisfies ListActs);
  worker.on('error', (error) => plan.log(`the search ended: ${String(error)}`));
  worker.once('exit', () => {
    alive = false;
    indexing = null;
    link.end('it ended');
  });
  void link.ask('open', [plan.store, plan.storeId, plan.path]).catch((error: unknown) => {
    plan.log(`the search could not be opened: ${String(error)}`);
  });

  const wanted = new Map<Entry, string>();
  const handed = new Map<Entry, string>();
  let gone: number[] = [];
  let timer: NodeJS.Timeout | null = null;
  const handOver = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const list: Wanted[] = [...wanted].map(([entry, digest]) => ({ entry: entry.doc, name: entry.name, digest }));
    if (list.length > 0 || gone.length > 0) link.tell('want', [list, gone]);
    wanted.clear();
    gone = [];
  };

  return {
    get indexing() {
      return indexing;
    },
    note(entry, digest) {
      if (!alive || (handed.get(entry) ?? null) === digest) return;
      if (digest === null) {
        handed.delete(entry);
        wanted.delete(entry);
        gone.push(entry.doc);
      } else {
        handed.set(entry, digest);
        wanted.set(entry, digest);
      }
      timer ??= setTimeout(handOver, HAND_OVER_MS).unref();
    },
    async find(search) {
      const words = [...new Set(partsOf(search))];
      if (words.length === 0) return everything;
      handOver();
      const bits = alive ? await link.ask('find', [words]).catch(() => []) : [];
      const each = words.map((word, at) => foundBy(bits[at] ?? new Uint8Array(), findsInFields(word)));
      return (entry) => each.every((finds) => finds(entry));
    },
    async close() {
      if (timer !== null) clearTimeout(timer);
      const late = new Promise<void>((resolve) => setTimeout(resolve, CLOSING_MS).unref());
      const written = link
        .ask('close', [])
        .catch((error: unknown) => plan.log(`the search was not kept: ${String(error)}`));
      if (alive) await Promise.race([written, late]);
      await worker.terminate();
    },
  };
}

const everything: Finds = () => true;

function foundBy(bits: Uint8Array, inFields: Finds): Finds {
  return (entry) => ((bits[entry.doc >> 3] ?? 0) & (1 << (entry.doc & 7))) !== 0 || inFields(entry);
}
