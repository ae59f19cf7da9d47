import { z } from 'zod';

export const EFFECTS = ['read_only', 'changes', 'destructive'] as const;
export type Effect = (typeof EFFECTS)[number];

/** One row of the reviewer's own tool table. `tool` may end in `*`; `source` and `server` may be `*`. First match wins. */
export const ToolRow = z.strictObject({
  source: z.string().default('*'),
  server: z.string().default('*'),
  tool: z.string().min(1),
  effect: z.enum(EFFECTS),
  /** True only when firing the same call twice does the same as firing it once (I1, I8, K8). */
  repeatable: z.boolean(),
  /** The loop may run it without a person. */
  noReview: z.boolean().default(false),
});
export type ToolRow = z.infer<typeof ToolRow>;

/** What a tool server says of a tool (MCP annotations): a claim, never trusted to lower anything. */
export const ToolClaims = z.strictObject({
  readOnly: z.boolean().optional(),
  destructive: z.boolean().optional(),
  idempotent: z.boolean().optional(),
});
export type ToolClaims = z.infer<typeof ToolClaims>;

export const ToolFacts = z.strictObject({
  /** False: no row of the table names it, so it changes something and is not repeatable. */
  known: z.boolean(),
  effect: z.enum(EFFECTS),
  repeatable: z.boolean(),
  noReview: z.boolean(),
  /** True when the server's own claim raised the class above the table's. */
  raisedByClaim: z.boolean(),
});
export type ToolFacts = z.infer<typeof ToolFacts>;

const matches = (pattern: string, text: string): boolean =>
  pattern === '*' || (pattern.endsWith('*') ? text.startsWith(pattern.slice(0, -1)) : pattern === text);

/** Does a row speak of this tool? A wildcard in `source`, `server` or `tool` itself is met by a wildcard alone. */
export function matchesRow(row: ToolRow, source: string, server: string | null, tool: string): boolean {
  return matches(row.tool, tool) && matches(row.source, source) && (row.server === '*' || row.server === server);
}

/**
 * The effect class of one tool for one source. Unknown tool: changes something, not repeatable, reviewed (C14, C24).
 * Claims may only raise: `destructive` raises the class, and withdraws "no review needed".
 */
export function toolFacts(
  table: readonly ToolRow[],
  source: string,
  server: string | null,
  tool: string,
  claims: ToolClaims = {},
): ToolFacts {
  const row = table.find((one) => matchesRow(one, source, server, tool));
  const base = row ?? { effect: 'changes' as const, repeatable: false, noReview: false };
  const claimed: Effect = claims.destructive ? 'destructive' : claims.readOnly === false ? 'changes' : 'read_only';
  const raisedByClaim = EFFECTS.indexOf(claimed) > EFFECTS.indexOf(base.effect);
  return {
    known: row !== undefined,
    effect: raisedByClaim ? claimed : base.effect,
    repeatable: base.repeatable,
    noReview: base.noReview && !raisedByClaim,
    raisedByClaim,
  };
}
