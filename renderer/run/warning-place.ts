import type { CallView } from '../../shared/ipc.js';

/** Where on the card a warning points at. */
export type WarningPlace =
  /** A value of the arguments, by its path in them; '' for all of them. */
  | { part: 'argument'; path: string }
  | { part: 'name' }
  | { part: 'id' }
  | { part: 'message'; index: number }
  | { part: 'record' };

/** What systems put between a call and its arguments. */
const HEAD = /^\.(?:function\.arguments|arguments|args)(?=$|[.[])/;
const MESSAGE = /(?:^|\.)messages\[(\d+)\]/;

/** Reads the place of a warning from its path in the record. What is not on the card is in the record itself. */
export function placeOfWarning(path: string, call: CallView | null): WarningPlace {
  if (call !== null) {
    const [outer = `pending_tool_calls[${call.index}]`, inner] = call.paths ?? [];
    if (inner !== undefined && isAt(path, inner)) return { part: 'argument', path: bare(path.slice(inner.length)) };
    if (isAt(path, outer)) {
      const rest = path.slice(outer.length);
      if (rest === '.name') return { part: 'name' };
      if (rest === '.id' || rest === '.tool_call_id') return { part: 'id' };
      return { part: 'argument', path: bare(rest.replace(HEAD, '')) };
    }
  }
  const message = MESSAGE.exec(path);
  return message === null ? { part: 'record' } : { part: 'message', index: Number(message[1]) };
}

/** Is `path` at `above`, or below it? */
export function isAt(path: string, above: string): boolean {
  return above === '' || path === above || path.startsWith(`${above}.`) || path.startsWith(`${above}[`);
}

const bare = (rest: string): string => (rest.startsWith('.') ? rest.slice(1) : rest);
