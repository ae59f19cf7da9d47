import { EFFECTS, type ToolClaims, type ToolFacts, type ToolRow, toolFacts } from '../../shared/tool-table.js';
import { shown } from './shown.js';

/** Stands for every name that no row spells out. */
const OTHER = '\u0001';
/** More rows against more names than this are not compared one by one. */
const MOST = 2_000_000;

/**
 * What calls lose in safety when one table takes the place of another: a lower class, going without review, counting as
 * repeatable. Rows are compared by what they do, not by how they stand: for each row that came, went or moved, the names
 * that it may speak of are looked up in both tables. Rows of a server for which `isHarmless` say nothing of real tools.
 */
export function tableWeakenings(
  before: readonly ToolRow[],
  after: readonly ToolRow[],
  isHarmless: (server: string) => boolean,
): string[] {
  const [gone, came] = between(before, after);
  const rows = [...came, ...gone].filter((row) => row.server === '*' || !isHarmless(row.server));
  if (rows.length === 0) return [];
  const all = [...before, ...after];
  const sources = concrete(all.map((row) => row.source));
  const servers = concrete(all.map((row) => row.server));
  const tools = [...new Set(all.map((row) => row.tool))];
  if (rows.length * (before.length + after.length) * sources.length * servers.length > MOST)
    return [`${rows.length} rows of the table of tools change: too many to tell one by one what they lower`];
  const said = new Map<string, { row: ToolRow; lost: Set<string> }>();
  for (const row of rows)
    for (const source of inReach(row.source, sources))
      for (const server of inReach(row.server, servers)) {
        if (isHarmless(server)) continue;
        for (const tool of namesUnder(row.tool, tools))
          for (const claims of CLAIMS) {
            const was = toolFacts(before, source, server, tool, claims);
            for (const loss of losses(was, toolFacts(after, source, server, tool, claims))) {
              const named = { ...row, tool: tool.replace(OTHER, '*') };
              const one = said.get(whose(named)) ?? { row: named, lost: new Set() };
              said.set(whose(named), { ...one, lost: one.lost.add(loss) });
            }
          }
      }
  return inWords([...said.values()].map(({ row, lost }) => ({ row, lost: [...lost].join('; ') })));
}

/** What is told of a wider pattern is not told again of a name under it. */
function inWords(found: readonly { row: ToolRow; lost: string }[]): string[] {
  const wider = (a: ToolRow, b: ToolRow): boolean =>
    a.tool !== b.tool &&
    a.tool.endsWith('*') &&
    b.tool.startsWith(a.tool.slice(0, -1)) &&
    a.source === b.source &&
    a.server === b.server;
  return found.flatMap(({ row, lost }) =>
    found.some((one) => one.lost === lost && wider(one.row, row)) ? [] : [`${whose(row)}: ${lost}`],
  );
}

/** The part of each table that is not the same at its beginning and its end. */
function between(before: readonly ToolRow[], after: readonly ToolRow[]): [readonly ToolRow[], readonly ToolRow[]] {
  const same = (a: ToolRow | undefined, b: ToolRow | undefined): boolean =>
    a !== undefined && b !== undefined && JSON.stringify(inOrder(a)) === JSON.stringify(inOrder(b));
  const short = Math.min(before.length, after.length);
  let start = 0;
  while (start < short && same(before[start], after[start])) start++;
  let end = 0;
  while (end < short - start && same(before[before.length - 1 - end], after[after.length - 1 - end])) end++;
  return [before.slice(start, before.length - end), after.slice(start, after.length - end)];
}

const inOrder = (row: ToolRow): unknown[] => [
  row.source,
  row.server,
  row.tool,
  row.effect,
  row.repeatable,
  row.noReview,
];

/** The names that rows spell out, the stems of those that end in `*`, and one that nobody spells out. */
function concrete(patterns: readonly string[]): string[] {
  return [...new Set([...patterns.flatMap((pattern) => namesOf(pattern)), OTHER])];
}

const namesOf = (pattern: string): string[] =>
  pattern.endsWith('*') ? [pattern.slice(0, -1), `${pattern.slice(0, -1)}${OTHER}`] : [pattern];

const inReach = (pattern: string, names: readonly string[]): string[] =>
  pattern.endsWith('*') ? names.filter((name) => name.startsWith(pattern.slice(0, -1))) : [pattern];

/** Tools that a pattern may speak of, told apart as finely as some row of the tables does. */
function namesUnder(pattern: string, patterns: readonly string[]): string[] {
  if (!pattern.endsWith('*')) return [pattern];
  return [...new Set([...namesOf(pattern), ...inReach(pattern, patterns.flatMap(namesOf))])];
}

/** A claim that raised the class asked for review; a row that raises it by itself may take that away. */
const CLAIMS: readonly ToolClaims[] = [{}, { readOnly: false }, { destructive: true }];

const CLASS = { read_only: 'reads only', changes: 'changes something', destructive: 'destructive' } as const;

function losses(before: ToolFacts, after: ToolFacts): string[] {
  return [
    ...(EFFECTS.indexOf(after.effect) < EFFECTS.indexOf(before.effect)
      ? [`counts as “${CLASS[after.effect]}”, not as “${CLASS[before.effect]}”`]
      : []),
    ...(after.noReview && !before.noReview ? ['runs without a person’s review'] : []),
    ...(after.repeatable && !before.repeatable ? ['counts as repeatable, so it may be sent twice'] : []),
  ];
}

function whose({ tool, source, server }: ToolRow): string {
  const of = [
    ...(source === '*' ? [] : [`source ${shown(source)}`]),
    ...(server === '*' ? [] : [`server ${shown(server)}`]),
  ];
  return `Tool ${shown(tool)}${of.length > 0 ? ` (${of.join(', ')})` : ''}`;
}
