const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `41 min`, `2 h`, `3 d`: one unit, rounded down, for milliseconds. */
export function span(ms: number): string {
  if (ms < MINUTE) return `${Math.max(0, Math.floor(ms / 1000))} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`;
  if (ms < 2 * DAY) return `${Math.floor(ms / HOUR)} h`;
  return `${Math.floor(ms / DAY)} d`;
}

/** Age of an RFC 3339 time, or null when there is none. */
export function ageOf(time: string | null, now: number): string | null {
  return time === null ? null : span(now - Date.parse(time));
}

/** Sizes of text, in units of 1024. */
export function size(units: number): string {
  if (units < 1024) return `${units} B`;
  if (units < 1024 * 1024) return `${(units / 1024).toFixed(1)} KB`;
  return `${(units / 1024 / 1024).toFixed(1)} MB`;
}

const whole = new Intl.NumberFormat('en');
export const count = (n: number): string => whole.format(n);

/** First and last characters of a long name; the whole of a short one. */
export function shortName(name: string): string {
  return name.length > 16 ? `${name.slice(0, 6)}…${name.slice(-5)}` : name;
}

const dateTime = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' });

/** A time of the record or the store, in this machine's time zone; as written when it is no time. */
export function when(time: string): string {
  const ms = Date.parse(time);
  return Number.isNaN(ms) ? time : dateTime.format(ms);
}
