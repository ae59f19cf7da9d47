import type { PendingCall, Warning } from '../../../shared/checkpoint.js';
import type { ListedTool, Ports } from '../../ports.js';
import { classOf } from '../facts.js';
import type { RuleFacts } from '../may-answer.js';
import { nameWarnings, toolsKnown } from '../name-warnings.js';
import type { Loaded } from '../records.js';
import { schemaWarnings } from '../schema-warnings.js';

/** The facts that the rule about rules reads (`may-fire.ts`), gathered from what was loaded and from the settings. */
export function ruleFacts({ key, record }: Loaded, ports: Pick<Ports, 'settings' | 'listed'>): RuleFacts {
  const settings = ports.settings();
  const listed = ports.listed?.(key.source) ?? [];
  const known = toolsKnown(settings, listed);
  const ofCall = (call: PendingCall): Warning[] => {
    const tool = listed.find(({ name }) => name === call.name);
    return [...nameWarnings(call, '', known), ...(tool ? schemaWarnings(call, tool.inputSchema) : [])];
  };
  return {
    warnings: [...record.warnings, ...(record.pending ?? []).flatMap(ofCall)],
    classOf: (tool) =>
      classOf(
        settings,
        key.source,
        tool,
        listed.find(({ name }) => name === tool),
      ),
  };
}

/**
 * The server that would get a call: the one that was last seen to offer the tool. Null where the source has none to send
 * to; undefined where it is not known, or where several offer a tool of this name.
 */
export function serverOf(
  settings: ReturnType<Ports['settings']>,
  source: string,
  tool: string,
  listed: readonly ListedTool[],
): string | null | undefined {
  const servers = settings.sources.find(({ name }) => name === source)?.profile?.servers ?? [];
  if (servers.length === 0) return null;
  const offering = listed.filter(({ name }) => name === tool);
  return offering.length === 1 ? offering[0]?.server : undefined;
}
