/** Days of the reviewer's own calendar (`2026-07-20`) as instants, and back. */

/** The first instant of a day; undefined where the field is empty or not finished. */
export function startOf(day: string, ahead = 0): string | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day);
  if (match === null) return undefined;
  return new Date(Number(match[1]), Number(match[2]) - 1, Number(match[3]) + ahead).toISOString();
}

export const nextDayOf = (day: string): string | undefined => startOf(day, 1);

/** The day that an instant lies in, moved by whole days; '' for none. */
export function dayOf(instant: string | undefined, ahead = 0): string {
  if (instant === undefined) return '';
  const date = new Date(instant);
  date.setDate(date.getDate() + ahead);
  const two = (n: number): string => String(n).padStart(2, '0');
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
