import { SORTS, type Sort } from '../../shared/queue.js';
import { text as words } from '../text.js';
import { useQueue } from './queue-store.js';

/** In places of what is over there are two orders only: the latest first, or the oldest. */
const OVER: readonly Sort[] = ['newest', 'oldest'];

/** The order of the list, in the words of what it does here. */
export function SortChoice() {
  const { view, sort } = useQueue((s) => s.query);
  const setSort = useQueue((s) => s.setSort);
  const isOpen = view === 'needs_me' || view === 'unknown';
  const value = isOpen || sort === 'oldest' ? sort : 'newest';
  return (
    <label className="sort">
      <span className="visually-hidden">{words.queue.sort}</span>
      <select value={value} onChange={(event) => setSort(SORTS.find((one) => one === event.target.value) ?? 'risk')}>
        {(isOpen ? SORTS : OVER).map((one) => (
          <option key={one} value={one}>
            {words.queue.order[one]}
          </option>
        ))}
      </select>
    </label>
  );
}
