import type { RunDetail } from '../../shared/ipc.js';
import type { ToolFacts } from '../../shared/tool-table.js';
import { text as words } from '../text.js';

/** What is said of a call beside its arguments, and can become another thing while they stay. */
export interface CallFacts {
  index: number;
  name: string;
  facts: Pick<ToolFacts, 'effect' | 'repeatable' | 'known'>;
  server: string | null;
}

interface Said {
  route: RunDetail['row']['route'];
  calls: readonly CallFacts[];
}

/** One fact as it was read, and as it is now. `call` counts from 1; null: of the whole run. */
export interface FactChange {
  call: number | null;
  what: string;
  was: string;
  is: string;
}

/**
 * What else became another thing under the reviewer's eyes: the way, a class, repeatable or not, the server, a call that
 * came or went. That a server became known which was not is no change of what was read.
 */
export function factChanges(before: Said, after: Said): FactChange[] {
  const t = words.changed;
  const changes: FactChange[] = [];
  const add = (call: number | null, what: string, was: string, is: string): void => {
    if (was !== is) changes.push({ call, what, was, is });
  };
  add(null, t.route, words.route[before.route], words.route[after.route]);
  for (const old of before.calls) {
    const now = after.calls.find(({ index }) => index === old.index);
    const n = old.index + 1;
    if (now === undefined) add(n, t.callOf, old.name, t.absent);
    if (now === undefined || now.name !== old.name) continue;
    add(n, t.effect, words.effect[old.facts.effect], words.effect[now.facts.effect]);
    add(n, t.repeats, repeats(old), repeats(now));
    add(n, t.table, old.facts.known ? t.known : t.unknown, now.facts.known ? t.known : t.unknown);
    if (old.server !== null) add(n, t.server, old.server, now.server ?? t.absent);
  }
  for (const now of after.calls)
    if (!before.calls.some(({ index }) => index === now.index)) add(now.index + 1, t.callOf, t.absent, now.name);
  return changes;
}

const repeats = ({ facts }: CallFacts): string =>
  facts.repeatable ? words.verdict.repeatable : words.verdict.notRepeatable;
