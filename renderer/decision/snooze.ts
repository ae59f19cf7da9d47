export const SNOOZES = ['hour', 'four_hours', 'tomorrow', 'monday'] as const;
export type Snooze = (typeof SNOOZES)[number];

const HOUR_MS = 3600_000;

/** When a snoozed item comes back, RFC 3339 in UTC; mornings are 9:00 of this machine's time zone. */
export function snoozeUntil(choice: Snooze, now: Date): string {
  if (choice === 'hour') return new Date(now.getTime() + HOUR_MS).toISOString();
  if (choice === 'four_hours') return new Date(now.getTime() + 4 * HOUR_MS).toISOString();
  const morning = new Date(now);
  morning.setHours(9, 0, 0, 0);
  const days = choice === 'tomorrow' ? 1 : (8 - now.getDay()) % 7 || 7;
  morning.setDate(morning.getDate() + days);
  return morning.toISOString();
}

/** A time typed as `2026-03-02T14:30`, local; null when it is none or not still to come. */
export function snoozeAt(typed: string, now: Date): string | null {
  const at = new Date(typed);
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(typed) && at.getTime() > now.getTime() ? at.toISOString() : null;
}
