import { z } from 'zod';
import { EFFECTS, type Effect, matchesRow, ToolClaims, type ToolRow } from './tool-table.js';

/** A tool as its server lists it: every word of it is the server's own. */
export const OfferedTool = z.strictObject({
  name: z.string(),
  /** The beginning of it. */
  description: z.string(),
  claims: ToolClaims,
});
export type OfferedTool = z.infer<typeof OfferedTool>;

/** How often calls of one tool of one source were decided, and how many failed, in a period. Counts of calls. */
export const ToolCount = z.strictObject({
  source: z.string(),
  tool: z.string(),
  approved: z.number().int(),
  edited: z.number().int(),
  rejected: z.number().int(),
  failed: z.number().int(),
});
export type ToolCount = z.infer<typeof ToolCount>;

/** The lowest class that a row may have beside these claims: what a server says may only raise it. */
export function lowestBeside({ readOnly, destructive }: ToolClaims): Effect {
  if (destructive) return 'destructive';
  return readOnly === false ? 'changes' : 'read_only';
}

/**
 * The row that is proposed for a tool: as an unknown tool counts, raised by what its server claims. That a server calls
 * its tool harmless or repeatable proposes nothing: that is the reviewer's own word.
 */
export function proposedRow(server: string, { name, claims }: OfferedTool): ToolRow {
  const lowest = lowestBeside(claims);
  const effect = EFFECTS.indexOf(lowest) > EFFECTS.indexOf('changes') ? lowest : 'changes';
  return { source: '*', server, tool: name, effect, repeatable: false, noReview: false };
}

export type Standing =
  | { kind: 'new' }
  /** A row of the same source, server and name. */
  | { kind: 'same'; row: ToolRow; at: number }
  /** A wider row counts for it now; the new one is put before it. */
  | { kind: 'wider'; row: ToolRow; at: number };

/** What the table says of a tool already. */
export function standingIn(table: readonly ToolRow[], row: ToolRow): Standing {
  const at = table.findIndex((one) => matchesRow(one, row.source, row.server, row.tool) || isSame(one, row));
  const found = table[at];
  if (found === undefined) return { kind: 'new' };
  return { kind: isSame(found, row) ? 'same' : 'wider', row: found, at };
}

const isSame = (a: ToolRow, b: ToolRow): boolean => a.source === b.source && a.server === b.server && a.tool === b.tool;

/** The table with a row in it, where it counts: before the first one that would take its calls. */
export function withRow(table: readonly ToolRow[], row: ToolRow): ToolRow[] {
  const standing = standingIn(table, row);
  if (standing.kind === 'same') return [...table];
  const at = standing.kind === 'new' ? table.length : standing.at;
  return [...table.slice(0, at), row, ...table.slice(at)];
}

export type RowCount = Omit<ToolCount, 'source' | 'tool'>;

/** The counts of the calls that each row of a table speaks of; the first row that matches counts. */
export function countsByRow(table: readonly ToolRow[], counts: readonly ToolCount[]): RowCount[] {
  const none = { approved: 0, edited: 0, rejected: 0, failed: 0 };
  const byRow = table.map(() => none);
  for (const { source, tool, ...count } of counts) {
    // The history does not say which server a call went to: the first row that may speak of it has it.
    const at = table.findIndex((row) => matchesRow(row, source, row.server, tool));
    const before = byRow[at];
    if (before)
      byRow[at] = {
        approved: before.approved + count.approved,
        edited: before.edited + count.edited,
        rejected: before.rejected + count.rejected,
        failed: before.failed + count.failed,
      };
  }
  return byRow;
}
