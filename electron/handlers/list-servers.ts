import type { Ports } from '../ports.js';
import type { Context } from './context.js';

/** Servers that could not be asked are not asked again for this long, in milliseconds. */
const AGAIN_MS = 60_000;

/**
 * Asks the tool servers of a source what they offer, where that is not known yet: a rule speaks of a call only when it is
 * known who would get it, and what that server claims of it.
 */
export function listingServers({ ports, listed }: { ports: Ports } & Pick<Context, 'listed'>) {
  const failed = new Map<string, number>();
  return async (source: string): Promise<void> => {
    const servers = ports.settings().sources.find(({ name }) => name === source)?.profile?.servers ?? [];
    const missing = servers.filter((server) => !listed.has(server));
    if (missing.length === 0 || ports.clock.monotonic() - (failed.get(source) ?? -AGAIN_MS) < AGAIN_MS) return;
    const session = await ports.tools.open(servers);
    if (session.ok) await session.value.close();
    else failed.set(source, ports.clock.monotonic());
  };
}
