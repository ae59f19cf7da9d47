import { type CivilDate, civilDate, dayNumber, daysIn } from './calendar.js';

/** Nanoseconds since 1970-01-01T00:00:00Z, proleptic Gregorian, no leap seconds. */
export type TimeResult = { ok: true; ns: bigint } | { ok: false; reason: string };

const SECOND = 1_000_000_000n;
const DAY_SECONDS = 86_400;
/** Beyond this the source system's own clock type ends. */
const LAST_YEAR = 262_142;

const DATE = /^([+-]\d{4,6}|\d{4})-(\d\d)-(\d\d)/;
const CLOCK = /^[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?/;
const OFFSET = /^([+-])(\d\d):(\d\d)$/;

/**
 * Reads RFC 3339 as klieo's own reader does (FORMATS J9): the offset is required and normalised, digits after the ninth
 * are cut, second 60 is the first of the next minute, a space may stand for the T, years above 9999 carry a sign.
 * No clock and no time zone of this machine takes part (C71).
 */
export function parseTime(text: string): TimeResult {
  const date = DATE.exec(text);
  if (date === null) return refuse(`${quoted(text)} is not a date and time (RFC 3339)`);
  const day = { year: Number(date[1]), month: Number(date[2]), day: Number(date[3]) };
  const dateFault = checkDate(day);
  if (dateFault !== null) return refuse(`${quoted(text)}: ${dateFault}`);
  const rest = text.slice(date[0].length);
  const clock = CLOCK.exec(rest);
  if (clock === null) return refuse(`${quoted(text)} has no time of day as 'T' or a space and hh:mm:ss`);
  const [whole, hour = '', minute = '', second, fraction = ''] = clock;
  if (second === undefined) return refuse(`${quoted(text)} has no seconds`);
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) {
    return refuse(`${quoted(text)}: there is no time ${hour}:${minute}:${second}`);
  }
  const offset = offsetSeconds(rest.slice(whole.length));
  if (typeof offset === 'string') return refuse(`${quoted(text)}: ${offset}`);
  const seconds = dayNumber(day) * DAY_SECONDS + Number(hour) * 3600 + Number(minute) * 60 + Number(second) - offset;
  return { ok: true, ns: BigInt(seconds) * SECOND + BigInt(fraction.slice(0, 9).padEnd(9, '0')) };
}

/** The same instant in UTC: `Z`, and 0, 3, 6 or 9 fraction digits, whichever is exact (J9). */
export function formatNs(ns: bigint): string {
  const fraction = ((ns % SECOND) + SECOND) % SECOND;
  const seconds = Number((ns - fraction) / SECOND);
  const days = Math.floor(seconds / DAY_SECONDS);
  const inDay = seconds - days * DAY_SECONDS;
  const { year, month, day } = civilDate(days);
  const clock = [Math.floor(inDay / 3600), Math.floor(inDay / 60) % 60, inDay % 60].map(two).join(':');
  return `${yearText(year)}-${two(month)}-${two(day)}T${clock}${fractionText(fraction)}Z`;
}

function checkDate({ year, month, day }: CivilDate): string | null {
  if (Math.abs(year) > LAST_YEAR) return `the year ${year} is out of range`;
  if (month < 1 || month > 12) return `there is no month ${month}`;
  if (day < 1 || day > daysIn(year, month)) return `there is no day ${day} in month ${month} of ${year}`;
  return null;
}

/** Seconds east of UTC, or why there are none. */
function offsetSeconds(text: string): number | string {
  if (text === 'Z') return 0;
  if (text === '') return 'no time zone in the record';
  const offset = OFFSET.exec(text);
  const [, sign, hours = '', minutes = ''] = offset ?? [];
  if (offset === null || Number(hours) > 23 || Number(minutes) > 59) {
    return `${quoted(text)} is not a time zone; Z or an offset like +05:30 should stand there`;
  }
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60);
}

/** Orders two times as instants; as texts, `05Z` would come after `05.123Z`. What is no time comes first. */
export function compareTimes(a: string, b: string): number {
  const [x, y] = [parseTime(a), parseTime(b)];
  if (!x.ok || !y.ok) return Number(x.ok) - Number(y.ok);
  return x.ns < y.ns ? -1 : x.ns > y.ns ? 1 : 0;
}

function fractionText(fraction: bigint): string {
  if (fraction === 0n) return '';
  const digits = String(fraction).padStart(9, '0');
  if (digits.endsWith('000000')) return `.${digits.slice(0, 3)}`;
  return digits.endsWith('000') ? `.${digits.slice(0, 6)}` : `.${digits}`;
}

function yearText(year: number): string {
  const digits = String(Math.abs(year)).padStart(4, '0');
  if (year < 0) return `-${digits}`;
  return year > 9999 ? `+${digits}` : digits;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

function quoted(text: string): string {
  return JSON.stringify(text.length <= 60 ? text : `${text.slice(0, 60)}…`);
}

function refuse(reason: string): TimeResult {
  return { ok: false, reason };
}
