import type { Settings } from '../../shared/settings.js';
import { EFFECTS, type ToolFacts, toolFacts } from '../../shared/tool-table.js';
import type { ListedTool, Ports } from '../ports.js';
import { ttlNs } from './expiry.js';
import type { ClaimFacts } from './may-fire.js';
import type { Loaded } from './records.js';

/**
 * The class of a tool for a source, by the reviewer's own table. While its server is not known, every server of the
 * source's profile counts, and the gravest answer holds.
 */
export function classOf(settings: Settings, source: string, tool: string, listed?: ListedTool): ToolFacts {
  const profile = settings.sources.find((s) => s.name === source)?.profile;
  const servers: (string | null)[] = listed ? [listed.server] : (profile?.servers ?? []);
  const all = (servers.length > 0 ? servers : [null]).map((server) =>
    toolFacts(settings.tools, source, server, tool, listed?.claims),
  );
  return all.reduce((a, b) => ({
    known: a.known && b.known,
    effect: EFFECTS.indexOf(a.effect) >= EFFECTS.indexOf(b.effect) ? a.effect : b.effect,
    repeatable: a.repeatable && b.repeatable,
    noReview: a.noReview && b.noReview,
    raisedByClaim: a.raisedByClaim || b.raisedByClaim,
  }));
}

/** The reviewer's own word on repeatability, and nobody else's: a server's claim never counts (I8, K8). */
export function repeatableBy(settings: Settings, source: string): (tool: string) => boolean {
  return (tool) => classOf(settings, source, tool).repeatable;
}

/** The facts that the rule reads, gathered from what was loaded and from the settings. */
export function claimFacts(
  loaded: Loaded,
  ports: Pick<Ports, 'clock' | 'settings' | 'signing' | 'listed'>,
): ClaimFacts {
  const settings = ports.settings();
  return {
    loaded,
    now: ports.clock.now(),
    ttl: ttlNs(settings),
    isRepeatable: repeatableBy(settings, loaded.key.source),
    classOf: (tool) => {
      const listed = ports.listed?.(loaded.key.source).find(({ name }) => name === tool);
      return classOf(settings, loaded.key.source, tool, listed);
    },
    route: loaded.head.route,
    known: ports.signing.known(),
    needsTwo: (tool) => settings.twoPersons && isDestructive(settings, loaded.key.source, tool, ports),
    twoPersons: settings.twoPersons,
  };
}

/** By the reviewer's table, or by its server's own claim where that was seen: a claim may only raise. */
function isDestructive(settings: Settings, source: string, tool: string, { listed }: Pick<Ports, 'listed'>): boolean {
  const offered = listed?.(source).filter(({ name }) => name === tool) ?? [];
  return [undefined, ...offered].some((one) => classOf(settings, source, tool, one).effect === 'destructive');
}
