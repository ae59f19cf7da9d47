import type { CallView } from '../../shared/ipc.js';
import type { Arguments } from './fields.js';
import { LONG_LINES, LONG_UNITS, lineCount } from './fields.js';

/** A part of the card whose end must have been on screen before Approve is offered (I12). */
export interface Place {
  key: string;
  /** The field's name, or null for the end of the whole list of arguments. */
  field: string | null;
}

/** Bound to the item, the call and the digest: what was reached for one text says nothing about another. */
export function placeKey(itemId: string, call: Pick<CallView, 'index' | 'argumentsSha256'>, part: string): string {
  return `${itemId}\n${call.index}\n${call.argumentsSha256}\n${part}`;
}

export const END = 'end';
export const RAW = 'raw';

export function isLongText(text: string): boolean {
  return text.length > LONG_UNITS || lineCount(text) > LONG_LINES;
}

/** Everything that must be reached for one call. */
export function placesOf(itemId: string, call: CallView, text: string, args: Arguments): Place[] {
  const places: Place[] = [];
  if (args.kind === 'fields') {
    for (const field of args.fields)
      if (field.long) places.push({ key: placeKey(itemId, call, String(field.position)), field: field.key ?? '' });
  } else if (args.kind === 'unreadable' && isLongText(text)) {
    places.push({ key: placeKey(itemId, call, RAW), field: '' });
  }
  places.push({ key: placeKey(itemId, call, END), field: null });
  return places;
}
