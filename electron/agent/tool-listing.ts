import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { z } from 'zod';
import type { ToolClaims } from '../../shared/tool-table.js';
import type { ListedTool } from '../ports.js';
import { capText } from './result-text.js';

const MAX_TOOLS = 1000;
const MAX_PAGES = 200;

export interface ListingLimits {
  /** UTF-8 bytes of names, descriptions and schemas together. */
  bytes: number;
  /** Characters of one description that are kept. */
  description: number;
}

const LISTING_LIMITS: ListingLimits = { bytes: 8 * 1024 * 1024, description: 64 * 1024 };

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
 * Every page of a server's tool list, up to MAX_TOOLS tools and `limits.bytes`; `more` says that it has others. An entry whose shape is
 * wrong is left out, and so can never be called. Throws when the server does not answer.
 */
export async function listTools(
  client: Client,
  server: string,
  signal: AbortSignal,
  limits: ListingLimits = LISTING_LIMITS,
): Promise<{ tools: ListedTool[]; more: boolean }> {
  const tools: ListedTool[] = [];
  let bytes = 0;
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
      const name = item.data.name;
      const description = capText(item.data.description ?? '', limits.description);
      const inputSchema = JSON.stringify(item.data.inputSchema ?? { type: 'object' });
      bytes += Buffer.byteLength(name) + Buffer.byteLength(description) + Buffer.byteLength(inputSchema);
      if (bytes > limits.bytes) return { tools, more: true };
      tools.push({ server, name, description, inputSchema, claims: claimsOf(item.data.annotations) });
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
