import { z } from 'zod';
import type { JsonNode, JsonObject } from '../../../shared/json.js';
import { u64 } from './numbers.js';
import { json, jsonMap, oneOf, optionalText, orNull, text } from './tagged.js';

const object = { error: 'must be an object' };
const list = { error: 'must be a list' };
const flag = z.boolean({ error: 'must be true or false' });
const optionalNumber = u64.nullish().transform(orNull);

const artifact = z.object(
  {
    scope: text.regex(/^[A-Za-z0-9._:-]{1,128}$/, { error: 'must be 1 to 128 of A-Z a-z 0-9 . _ - :' }),
    artifact_id: text,
    media_type: text,
    size_bytes: u64,
    sha256: text,
    name: optionalText,
    created_at_unix_ms: u64,
    expires_at_unix_ms: optionalNumber,
  },
  object,
);

const source = z.discriminatedUnion(
  'type',
  [
    z.object({ type: z.literal('url'), url: text, media_type: optionalText }),
    z.object({ type: z.literal('base64'), media_type: text, data: text }),
    z.object({ type: z.literal('artifact'), reference: artifact }),
    z.object({ type: z.literal('provider_file'), provider: text, file_id: text }),
  ],
  oneOf('url', 'base64', 'artifact', 'provider_file'),
);

export const providerData = z.object({ provider: text, kind: text, value: json }, object);

const plainParts = [
  z.object({ type: z.literal('text'), text }),
  z.object({ type: z.literal('image'), source }),
  z.object({ type: z.literal('audio'), source }),
  z.object({ type: z.literal('document'), source, name: optionalText }),
  z.object({
    type: z.literal('resource_link'),
    uri: text,
    name: text,
    title: optionalText,
    description: optionalText,
    media_type: optionalText,
    size: optionalNumber,
  }),
  z.object({
    type: z.literal('tool_call'),
    id: text,
    name: text,
    arguments: json,
    raw_arguments: optionalText,
    metadata: jsonMap,
  }),
  z.object({
    type: z.literal('reasoning'),
    text: optionalText,
    signature: optionalText,
    redacted: flag,
    provider_data: z.array(providerData, list),
  }),
  z.object({ type: z.literal('refusal'), text }),
  z.object({
    type: z.literal('citation'),
    uri: optionalText,
    title: optionalText,
    start: optionalNumber,
    end: optionalNumber,
  }),
  providerData.extend({ type: z.literal('provider_opaque') }),
] as const;

type PlainPart = z.infer<(typeof plainParts)[number]>;

interface ToolResultPart {
  type: 'tool_result';
  call_id: string;
  name: string | null;
  content: Part[];
  structured_content: JsonNode | null;
  is_error: boolean;
  metadata: JsonObject;
}

/** One unit of a message's content (FORMATS 5.2). A kind that is not listed is refused by name. */
export type Part = PlainPart | ToolResultPart;

export const part: z.ZodType<Part> = z.lazy(() =>
  z.discriminatedUnion(
    'type',
    [
      ...plainParts,
      z.object({
        type: z.literal('tool_result'),
        call_id: text,
        name: optionalText,
        content: z.array(part, list),
        structured_content: json.nullish().transform(orNull),
        is_error: flag,
        metadata: jsonMap,
      }),
    ],
    oneOf(...plainParts.map((plain) => plain.shape.type.value), 'tool_result'),
  ),
);

export const message = z.object(
  {
    role: z.enum(['system', 'user', 'assistant', 'tool'], { error: 'must be one of system, user, assistant, tool' }),
    content: z.array(part, list),
    metadata: jsonMap,
  },
  object,
);
export type RunifoldMessage = z.infer<typeof message>;
