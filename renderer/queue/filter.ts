import type { Filter } from '../../shared/queue.js';

/** True when the list does not show all that stands in its place. */
export function isFiltering(filter: Filter): boolean {
  const { search, ...others } = filter;
  return search.trim() !== '' || Object.values(others).some((value) => value !== null);
}
