import type { RunRow } from '../../shared/run-row.js';

/** Marked runs of one tool and one class: what one act can take. */
export interface Group {
  key: string;
  /** Null: calls of several tools, to be decided on the card. */
  tool: string | null;
  effect: RunRow['effect'];
  rows: RunRow[];
}

/** The marked runs by tool and class, in the order in which they were marked. */
export function groupsOf(marks: ReadonlyMap<string, RunRow>): Group[] {
  const groups = new Map<string, Group>();
  for (const row of marks.values()) {
    const [first] = row.tools;
    const tool = first !== undefined && row.tools.every((name) => name === first) ? first : null;
    const key = JSON.stringify([tool, row.effect]);
    const group = groups.get(key);
    if (group) group.rows.push(row);
    else groups.set(key, { key, tool, effect: row.effect, rows: [row] });
  }
  return [...groups.values()];
}

/** The group that an act takes: the chosen one, else that of the run in front, else the first. */
export function groupInFront(groups: readonly Group[], chosen: string | null, selected: string | null): Group | null {
  return (
    groups.find(({ key }) => key === chosen) ??
    groups.find(({ rows }) => rows.some(({ id }) => id === selected)) ??
    groups[0] ??
    null
  );
}
