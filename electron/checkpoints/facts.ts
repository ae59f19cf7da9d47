import type { Settings } from '../../shared/settings.js';
import { toolFacts } from '../../shared/tool-table.js';
import { ttlNs } from './expiry.js';
import type { ClaimFacts } from './may-fire.js';
import type { Ports } from './ports.js';
import type { Loaded } from './records.js';

/** The reviewer's own word on repeatability, and nobody else's: a server's claim never counts (I8, K8). */
export function repeatableBy(settings: Settings, source: string): (tool: string) => boolean {
  return (tool) => toolFacts(settings.tools, source, null, tool).repeatable;
}

/** The facts that the rule reads, gathered from what was loaded and from the settings. */
export function claimFacts(loaded: Loaded, ports: Pick<Ports, 'clock' | 'settings'>): ClaimFacts {
  const settings = ports.settings();
  return {
    loaded,
    now: ports.clock.now(),
    ttl: ttlNs(settings),
    isRepeatable: repeatableBy(settings, loaded.key.source),
    route: loaded.head.route,
  };
}
