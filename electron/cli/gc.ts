import { tidiedInWords } from '../checkpoints/tidied.js';
import { type Command, maybeText, say, UsageError, withEngine } from './command.js';
import { oneLine } from './text.js';

export const gcCommand: Command = {
  name: 'gc',
  usage: 'gc [--ttl DURATION] [--dry-run]',
  does: 'removes runs older than the ttl (7d, 36h, 90m; else that of the settings); --dry-run names them only',
  takes: [0, 0],
  options: { ttl: { type: 'string' }, 'dry-run': { type: 'boolean' } },
  async run(call) {
    const ttl = maybeText(call, 'ttl');
    const ttlHours = ttl === undefined ? undefined : hoursOf(ttl);
    return withEngine(call, async (engine) =>
      say(call, await engine.gc({ ttlHours, dryRun: call.values['dry-run'] === true }), (result) => {
        const lines = result.dryRun ? result.named.map((name) => `would go   ${oneLine(name)}`) : [];
        lines.push(...result.kept.map(({ key, why }) => `stays      ${oneLine(key)}: ${oneLine(why)}`));
        if (result.keptCount > result.kept.length)
          lines.push(`stays      ${result.keptCount - result.kept.length} more`);
        if (result.failed !== null) lines.push(`the listing failed on a later page: ${oneLine(result.failed)}`);
        lines.push(
          `${result.reaped} ${result.dryRun ? 'would be removed' : 'removed'}, ${result.keptCount} old but kept (ttl ${result.ttlHours} h)`,
        );
        const more = tidiedInWords(result.tidied, result.dryRun).trim();
        if (more !== '') lines.push(oneLine(more));
        return lines.join('\n');
      }),
    );
  },
};

const HOURS: Readonly<Record<string, number>> = { d: 24, h: 1, m: 1 / 60, s: 1 / 3600 };

/** Hours of a duration such as `7d`, `1d12h` or `90m`. Throws UsageError. */
export function hoursOf(duration: string): number {
  const parts = [...duration.matchAll(/(\d{1,9}(?:\.\d{1,6})?)([dhms])/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== duration)
    throw new UsageError(
      `--ttl takes a duration with its unit, such as 7d, 36h or 90m; not ${JSON.stringify(duration)}`,
    );
  return parts.reduce((sum, [, number = '', unit = '']) => sum + Number(number) * (HOURS[unit] ?? 0), 0);
}
