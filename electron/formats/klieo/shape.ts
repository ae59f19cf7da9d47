import { z } from 'zod';
import type { JsonNode } from '../../../shared/json.js';
import { NumberText } from '../struct.js';

const U32_MAX = 4_294_967_295;
const STEP = 'must be a whole number from 1 to 4294967295, written without fraction or exponent';
const TEXT = 'must be a text';

/** Keys whose values are free-form JSON. */
export const OPAQUE = new Set(['args']);

/** step_index is 1-based; klieo's own type would take 0, which names no step (C37). */
const step = z
  .custom<NumberText>(
    (value) => value instanceof NumberText && /^[1-9]\d{0,9}$/.test(value.text) && Number(value.text) <= U32_MAX,
    {
      error: STEP,
    },
  )
  .transform((value) => Number(value.text));

const toolCall = z.object(
  {
    id: z.string({ error: TEXT }),
    name: z.string({ error: TEXT }),
    args: z.custom<JsonNode>((value) => value !== undefined, { error: 'must be JSON' }),
  },
  { error: 'must be an object' },
);

const message = z.object(
  {
    role: z.enum(['system', 'user', 'assistant', 'tool'], { error: 'must be one of system, user, assistant, tool' }),
    content: z.string({ error: TEXT }),
    tool_calls: z.array(toolCall, { error: 'must be a list' }).default([]),
    tool_call_id: z.string({ error: 'must be a text or null' }).nullable().default(null),
  },
  { error: 'must be an object' },
);

/**
 * RunCheckpoint (FORMATS 3.1). A default stands in for an absent key only; null is refused where no option is (J4).
 * Unknown keys are ignored here and kept in the bytes. A list in place of an object is refused (J8).
 */
export const RunCheckpoint = z.object(
  {
    run_id: z.string({ error: TEXT }),
    step_index: step,
    thread_id: z.string({ error: TEXT }),
    messages: z.array(message, { error: 'must be a list' }),
    pending_tool_calls: z.array(toolCall, { error: 'must be a list or null' }).nullable().default(null),
    resume_attempted: z.boolean({ error: 'must be true or false' }).default(false),
    created_at: z.string({ error: TEXT }),
  },
  { error: 'must be an object' },
);
export type RunCheckpoint = z.infer<typeof RunCheckpoint>;

/** Where klieo decodes a struct straight from the text, so that it refuses a repeated key (J5). */
export function isStructPath(path: string): boolean {
  return path === '' || /^(messages\[\d+\](\.tool_calls\[\d+\])?|pending_tool_calls\[\d+\])$/.test(path);
}
