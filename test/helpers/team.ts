import { type OpenedEngine, openTeamEngine } from '../../electron/sync/nats/open-engine.js';
import { Settings, type Team } from '../../shared/settings.js';

/** Settings of a team, as its reviewer would have entered them. */
export const teamOf = (servers: string | string[], more: Partial<Team> = {}): Team => ({
  ...Settings.parse({}).team,
  servers: [servers].flat(),
  unverified: true,
  ...more,
});

/** Opens what must open. */
export async function openedEngine(servers: string | string[], more: Partial<Team> = {}): Promise<OpenedEngine> {
  const opened = await openTeamEngine(teamOf(servers, more), null);
  if (!opened.ok) throw new Error(`${opened.refusal.text} ${JSON.stringify(opened.refusal.facts)}`);
  return opened.value;
}

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
export const textOf = (bytes: Uint8Array | null | undefined): string | null =>
  bytes ? new TextDecoder().decode(bytes) : null;
