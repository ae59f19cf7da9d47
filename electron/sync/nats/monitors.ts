import { z } from 'zod';

/** What a server's monitoring page tells of how it keeps JetStream's files. */
const Page = z.object({ config: z.object({ sync_always: z.boolean().optional() }).optional() });

/**
 * Whether every server named syncs each write; null where none is named or one cannot be asked. A server older than the
 * setting itself says nothing of it, which counts as no.
 */
export async function allSync(monitors: readonly string[]): Promise<boolean | null> {
  if (monitors.length === 0) return null;
  const said = await Promise.all(monitors.map(syncs));
  if (said.includes(false)) return false;
  return said.includes(null) ? null : true;
}

async function syncs(address: string): Promise<boolean | null> {
  try {
    const answer = await fetch(new URL('/jsz?config=true', address), { signal: AbortSignal.timeout(5000) });
    const page = Page.safeParse(await answer.json());
    return page.success && page.data.config !== undefined ? (page.data.config.sync_always ?? false) : null;
  } catch (error) {
    // Not there, too slow, or no monitoring page: nobody could look.
    if (error instanceof Error) return null;
    throw error;
  }
}
