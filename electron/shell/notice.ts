import { segments } from '../../shared/hidden-text.js';
import { maskSecrets } from '../../shared/mask.js';
import type { Attention } from '../../shared/settings.js';

/** One thing that needs a person: its item id, and the tools it would call. */
export interface WaitingItem {
  id: string;
  tools: readonly string[];
}

export interface News {
  /** How much needs a person now. */
  count: number;
  /** What of it was not there at the last look, the first of them; and how many more. At the first look nothing is new. */
  fresh: readonly WaitingItem[];
  more: number;
}

export const NO_NEWS: News = { count: 0, fresh: [], more: 0 };

export interface Moment {
  settings: Attention;
  /** The window is in front and has the keyboard. */
  inFront: boolean;
  /** Minutes since midnight, local time. */
  minute: number;
  /** "Do not disturb" was chosen, and still holds. */
  disturbed: boolean;
}

export interface Notice {
  title: string;
  body: string;
  /** The card it opens; null when there are several, and the list is opened. It never decides. */
  item: string | null;
}

const LONGEST = 80;

/**
 * What to say about items that were not there before; null for nothing. Tool names only, never arguments, with every
 * hidden character written out (I10).
 */
export function noticeOf(
  { fresh, more }: Pick<News, 'fresh' | 'more'>,
  { settings, inFront, minute, disturbed }: Moment,
): Notice | null {
  if (!settings.notifications || inFront || disturbed || isQuiet(settings.quiet, minute)) return null;
  const [first] = fresh;
  if (first === undefined) return null;
  const names = [...new Set(fresh.flatMap(({ tools }) => tools))];
  const body = spelled(names.slice(0, 3).join(', ')) + (names.length > 3 ? ` and ${names.length - 3} more` : '');
  return fresh.length === 1
    ? { title: 'A run waits for you', body: body || 'a step without calls', item: first.id }
    : { title: `${fresh.length + more} runs wait for you`, body, item: null };
}

/** Whether a minute of the day lies in the quiet time; its end is no part of it. From equal to to: the whole day. */
export function isQuiet(quiet: Attention['quiet'], minute: number): boolean {
  if (quiet === null) return false;
  const [from, to] = [minuteOf(quiet.from), minuteOf(quiet.to)];
  return from < to ? minute >= from && minute < to : minute >= from || minute < to;
}

function minuteOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

/** A name with what nobody would see written out, and cut. */
export function spelled(name: string): string {
  const written = segments(maskSecrets(name))
    .map((piece) => (piece.kind === 'plain' ? piece.text.replace(/\s+/g, ' ') : `[${piece.name}]`))
    .join('');
  const letters = [...written];
  return letters.length > LONGEST ? `${letters.slice(0, LONGEST).join('')}…` : written;
}
