/**
 * Says whether a crashed page may be loaded again: at most `limit` times within `span` milliseconds. `now` is a
 * monotonic time in milliseconds.
 */
export function crashBudget(limit = 3, span = 60_000): (now: number) => boolean {
  let reloads: number[] = [];
  return (now) => {
    reloads = reloads.filter((at) => now - at < span);
    if (reloads.length >= limit) return false;
    reloads.push(now);
    return true;
  };
}
