import { accepted } from '../../shared/refusal.js';
import type { Handlers } from '../answering.js';
import type { ToolCounts } from '../checkpoints/tool-counts.js';
import { guarded } from '../store/refusal.js';
import type { Context } from './context.js';

const DAY_MS = 86_400_000;
/** Characters of a description that are shown. */
const DESCRIPTION = 500;

/** What helps to fill the tool table: what a server offers, in its own words, and what was decided so far. */
export function tabling({
  ports,
  counts,
}: Pick<Context, 'ports'> & { counts: Pick<ToolCounts, 'since'> }): Pick<Handlers, 'server:tools' | 'tools:counts'> {
  return {
    'server:tools': (name) =>
      guarded(async () => {
        const session = await ports.tools.open([name]);
        if (!session.ok) return session;
        await session.value.close();
        return accepted(
          session.value.tools
            .filter(({ server }) => server === name)
            .map((tool) => ({
              name: tool.name,
              description: tool.description.slice(0, DESCRIPTION),
              claims: tool.claims,
            })),
        );
      }),
    'tools:counts': (days) =>
      guarded(async () => accepted(await counts.since(Number(ports.clock.now() / 1_000_000n) - days * DAY_MS))),
  };
}
