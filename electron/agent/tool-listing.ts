import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { z } from 'zod';
import type { ToolClaims } from '../../shared/tool-table.js';
import type { ListedTool } from '../ports.js';

const MAX_TOOLS = 1000;
const MAX_PAGES = 200;

const Page = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() });
const Item = z.looseObject({
  name: z.string().min(1),
  description: z.string().optional(),
  inputSchema: z.record(z.string(), z.unknown()).optional(),
  annotations: z
    .looseObject({
      readOnlyHint: z.boolean().optional(),
      destructiveHint: z.boolean().optional(),
      idempotentHint: z.boolean().optional(),
    })
    .optional(),
});
type Annotations = z.infer<typeof Item>['annotations'];

/**
 * Every page of a server's tool list, up to MAX_TOOLS tools; `more` says that it has others. An entry whose shape is
 * wrong is left out, and so can never be called. Throws when the server does not answer.
 */
export async function listTools(
  client: Client,
  server: string,
  signal: AbortSignal,
): Promise<{ tools: ListedTool[]; more: boolean }> {
  const tools: ListedTool[] = [];
  if (client.getServerCapabilities()?.tools === undefined) return { tools, more: false };
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const answer = await client.request(
      { method: 'tools/list', params: cursor === undefined ? {} : { cursor } },
      Page,
      { signal },
    );
    for (const entry of answer.tools) {
      const item = Item.safeParse(entry);
      if (!item.success) continue;
      if (tools.length === MAX_TOOLS) return { tools, more: true };
      tools.push({
        server,
        name: item.data.name,
        description: item.data.description ?? '',
        inputSchema: JSON.stringify(item.data.inputSchema ?? { type: 'object' }),
        claims: claimsOf(item.data.annotations),
      });
    }
    if (answer.nextCursor === undefined || answer.nextCursor === cursor) return { tools, more: false };
    cursor = answer.nextCursor;
  }
  return { tools, more: true };
}

/** Only what the server really says: a missing hint is no claim. */
function claimsOf(annotations: Annotations): ToolClaims {
  const claims: ToolClaims = {};
  if (annotations?.readOnlyHint !== undefined) claims.readOnly = annotations.readOnlyHint;
  if (annotations?.destructiveHint !== undefined) claims.destructive = annotations.destructiveHint;
  if (annotations?.idempotentHint !== undefined) claims.idempotent = annotations.idempotentHint;
  return claims;
}
