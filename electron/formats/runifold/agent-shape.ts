import { z } from 'zod';
import { message, part, providerData } from './content-shape.js';
import { u32, u64 } from './numbers.js';
import { jsonMap, oneOf, optionalText, orNull, text } from './tagged.js';
import { usage } from './usage-shape.js';

const object = { error: 'must be an object' };
const list = { error: 'must be a list' };

const model = z.object({ provider: text, name: text }, object);
export type ModelName = z.infer<typeof model>;

const response = z.object(
  {
    id: optionalText,
    model,
    content: z.array(part, list),
    finish_reason: z.union(
      [
        z.enum(['stop', 'length', 'tool_calls', 'content_filter', 'cancelled', 'error', 'unknown']),
        z.strictObject({ other: z.string() }),
      ],
      {
        error:
          'must be one of stop, length, tool_calls, content_filter, cancelled, error, unknown, or {"other": a text}',
      },
    ),
    usage: z.object(
      {
        input_tokens: u64,
        output_tokens: u64,
        reasoning_tokens: u64,
        cached_input_tokens: u64,
        cache_write_tokens: u64,
        cost_microusd: u64,
      },
      object,
    ),
    warnings: z.array(z.object({ code: text, message: text, metadata: jsonMap }, object), list),
    provider_metadata: jsonMap,
    provider_events: z.array(providerData, list),
  },
  object,
);

const phase = z.discriminatedUnion(
  'state',
  [
    z.object({ state: z.literal('ready_for_turn') }),
    z.object({ state: z.literal('turn_in_flight'), turn: u32 }),
    z.object({ state: z.literal('completed'), response }),
  ],
  oneOf('ready_for_turn', 'turn_in_flight', 'completed'),
);

const durable = z.object(
  {
    conversation_id: text,
    namespace: text,
    expected_version: u64,
    persisted_prefix_len: u64,
  },
  object,
);

const state = z.object(
  {
    execution_id: text,
    agent: text,
    model,
    transcript: z.array(message, list),
    turns: u32,
    tool_calls: u32,
    delegations: u32,
    usage,
    phase,
    /** Since 0.3.0; older records lack it. */
    durable_conversation: durable.nullish().transform(orNull),
    /** Ours alone: the turn that a person is asked about. runifold ignores the key (J3). */
    holdpoint_pending: z.array(message, list).nullish().transform(orNull),
  },
  object,
);
export type AgentState = z.infer<typeof state>;

/** The whole checkpoint, so that a refusal names the path from the top. */
export const AgentCheckpoint = z.object({ payload: state });

/** Keys whose values are free-form JSON. */
export const AGENT_OPAQUE = new Set(['arguments', 'metadata', 'structured_content', 'value', 'provider_metadata']);
