import { accepted, type Outcome, refused } from '../../shared/refusal.js';
import type { UnderWayView } from '../../shared/under-way.js';
import type { Handlers } from '../answering.js';
import type { WholeWay } from '../keep/under-way.js';
import type { Shell } from '../shell/holdpoint.js';

/** The window is told of progress this often at most. Milliseconds. */
const TOLD_MS = 200;

/** The one backup, import or move that is under way: how far it is, and a way to stop it. */
export interface LongActs {
  run<T>(act: UnderWayView['act'], work: (way: WholeWay) => Promise<Outcome<T>>): Promise<Outcome<T>>;
  handlers: Pick<Handlers, 'keep:state' | 'keep:stop'>;
}

export function longActs(shell: Pick<Shell, 'broadcast'>): LongActs {
  let view: UnderWayView | null = null;
  let stop = new AbortController();
  let toldAt = 0;
  const tell = (next: UnderWayView | null, now = performance.now()): void => {
    const mustTell = next === null || view === null || next.mayStop !== view.mayStop || now - toldAt >= TOLD_MS;
    view = next;
    if (!mustTell) return;
    toldAt = now;
    shell.broadcast('keep:changed');
  };
  return {
    async run(act, work) {
      if (view !== null)
        return refused('not_allowed', 'Another backup, import or move is under way. Wait for it, or stop it.');
      stop = new AbortController();
      tell({ act, done: 0, all: 0, mayStop: true });
      try {
        return await work({
          progress: (done, all) => tell(view && { ...view, done, all }),
          signal: stop.signal,
          goesOn: () => tell(view && { ...view, mayStop: false }),
        });
      } finally {
        tell(null);
      }
    },
    handlers: {
      'keep:state': () => accepted(view),
      'keep:stop': () => {
        const may = view?.mayStop ?? false;
        if (may) stop.abort();
        return accepted(may);
      },
    },
  };
}
