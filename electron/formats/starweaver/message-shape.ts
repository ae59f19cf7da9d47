import { z } from 'zod';
import { LIST, metadata, OBJECT, optionalText, optionalTime, optionalValue, text, usage, value } from './scalars.js';

/** Values told apart by their `kind`; one that is not among them makes the whole record unreadable (FORMATS 4.2). */
function byKind<Kinds extends Record<string, z.ZodRawShape>>(kinds: Kinds) {
  const [first, ...rest] = Object.entries(kinds).map(([kind, shape]) =>
    z.object({ kind: z.literal(kind), ...shape }, { error: OBJECT }),
  );
  if (first === undefined) throw new Error('a union needs a kind');
  const listed = Object.keys(kinds).join(', ');
  return z.discriminatedUnion('kind', [first, ...rest], {
    error: (issue) => (issue.code === 'invalid_union' ? `must be one of ${listed}` : OBJECT),
  });
}

const TEXT = { text };
const partProvider = z
  .object({ id: optionalText, provider_name: optionalText, details: metadata }, { error: OBJECT })
  .optional();
const provider = z.object({ name: text, response_id: optionalText, details: metadata }, { error: OBJECT }).nullish();

const BYTE = /^(\d{1,2}|1\d\d|2[0-4]\d|25[0-5])$/;
/** Looked at as a node: a picture would be a million objects. */
const bytes = z.custom<unknown>((given) => isByteList(given), { error: 'must be a list of bytes, 0 to 255' });

const contentPart = byKind({
  cache_point: { ttl: z.enum(['5m', '1h'], { error: 'must be 5m or 1h' }).nullish() },
  text: TEXT,
  image_url: { url: text },
  file_url: { url: text, media_type: text },
  binary: { data: bytes, media_type: text },
  resource_ref: { uri: text, media_type: text, resource_type: text, metadata },
  data_url: { data_url: text, media_type: text },
});

const TOOL_CALL = { id: text, name: text, arguments: optionalValue };
export const toolCall = z.object(TOOL_CALL, { error: OBJECT });

const TOOL_RETURN = {
  tool_call_id: text,
  name: text,
  content: value,
  is_error: z.boolean({ error: 'must be true or false' }).optional(),
  metadata,
  app_value: optionalValue,
  user_content: optionalValue,
  private_metadata: metadata,
};
export const toolReturn = z.object(TOOL_RETURN, { error: OBJECT });

const requestPart = byKind({
  system_prompt: { text, metadata },
  user_prompt: { content: z.array(contentPart, { error: LIST }), name: optionalText, metadata },
  tool_return: TOOL_RETURN,
  retry_prompt: { text, tool_call_id: optionalText, metadata },
  instruction: { text, metadata },
});

const responsePart = byKind({
  text: TEXT,
  provider_text: { text, provider: partProvider },
  thinking: { text, signature: optionalText },
  provider_thinking: { text, signature: optionalText, provider: partProvider },
  tool_call: TOOL_CALL,
  provider_tool_call: { call: toolCall, provider: partProvider },
  native_tool_call: { tool_type: text, payload: value },
  native_tool_return: { tool_type: text, payload: value },
  file: { url: text, media_type: text },
  compaction: { summary: text },
  provider_opaque: { item_type: text, payload: value, provider: partProvider },
});

const FINISH_REASONS = ['stop', 'length', 'tool_calls', 'content_filter', 'unknown'] as const;

const REQUEST = {
  parts: z.array(requestPart, { error: LIST }),
  timestamp: optionalTime,
  instructions: optionalText,
  run_id: optionalText,
  conversation_id: optionalText,
  metadata,
};
const RESPONSE = {
  parts: z.array(responsePart, { error: LIST }),
  usage: usage.optional(),
  model_name: optionalText,
  provider,
  finish_reason: z.enum(FINISH_REASONS, { error: `must be one of ${FINISH_REASONS.join(', ')}` }).nullish(),
  timestamp: optionalTime,
  run_id: optionalText,
  conversation_id: optionalText,
  metadata,
};

/** ModelMessage: a request to a model, or its response. */
export const modelMessage = byKind({ request: REQUEST, response: RESPONSE });
/** `latest_response` is a response without its `kind`. */
export const modelResponse = z.object(RESPONSE, { error: OBJECT });

function isByteList(given: unknown): boolean {
  if (typeof given !== 'object' || given === null || !('items' in given) || !Array.isArray(given.items)) return false;
  return given.items.every((item) => item.kind === 'number' && BYTE.test(item.text));
}
