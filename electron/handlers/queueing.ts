import { accepted } from '../../shared/refusal.js';
import type { Handlers } from '../answering.js';
import { guarded } from '../store/refusal.js';
import type { Context } from './context.js';

type Queueing = Pick<
  Handlers,
  | 'queue:show'
  | 'queue:state'
  | 'queue:rows'
  | 'queue:fold'
  | 'queue:where'
  | 'queue:next'
  | 'queue:marks'
  | 'run:successor'
>;

/** The list, by place. */
export function queueing({ queue }: Context): Queueing {
  return {
    'queue:show': (query) => guarded(async () => accepted(await queue.show(query))),
    'queue:state': (list) => guarded(() => queue.state(list)),
    'queue:rows': (list, from, count) => guarded(() => queue.rows(list, from, count)),
    'queue:fold': (list, at) => guarded(() => queue.fold(list, at)),
    'queue:where': (list, item) => guarded(() => queue.where(list, item)),
    'queue:next': (list, from) => guarded(() => queue.next(list, from)),
    'queue:marks': (list, item, which) => guarded(() => queue.marks(list, item, which)),
    'run:successor': (id) => guarded(async () => accepted(await queue.successor(id))),
  };
}
