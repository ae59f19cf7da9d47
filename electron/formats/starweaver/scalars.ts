import { z } from 'zod';
import type { JsonNode } from '../../../shared/json.js';
import { parseTime } from '../../../shared/time.js';
import { NumberText } from '../struct.js';

const U64_MAX = 18_446_744_073_709_551_615n;

export const OBJECT = 'must be an object';
export const LIST = 'must be a list';

/** Keys whose values are free-form JSON, or long, and are looked at as nodes. */
export const OPAQUE: ReadonlySet<string> = new Set([
  'app_value',
  'arguments',
  'data',
  'details',
  'metadata',
  'override_arguments',
  'private_metadata',
  'request',
  'response',
  'reviewed_arguments',
  'structured_output',
  'user_content',
]);

export const text = z.string({ error: 'must be a text' });
/** An option: absent or null is none (J4). */
export const optionalText = z.string({ error: 'must be a text or null' }).nullish();

export const u64 = z.custom<NumberText>((value) => isU64(value), {
  error: 'must be a whole number from 0 to 18446744073709551615, written without fraction or exponent',
});
export const optionalU64 = z
  .custom<NumberText>((value) => isU64(value), {
    error: 'must be a whole number from 0 to 18446744073709551615, written without fraction or exponent, or null',
  })
  .nullish();

/** Steps are counted with; past 2^53 there is no run of so many. */
export const step = z.custom<NumberText>((value) => isU64(value) && Number(value.text) < Number.MAX_SAFE_INTEGER, {
  error: 'must be a whole number from 0 to 9007199254740990, written without fraction or exponent',
});

const TIME = 'must be a time in RFC 3339 with an offset';
export const time = z.string({ error: TIME }).refine((written) => parseTime(written).ok, { error: TIME });
export const optionalTime = time.nullish();

/** Any JSON, but not absent. */
export const value = z.custom<unknown>((given) => given !== undefined, { error: 'must be JSON' });
/** Any JSON or absent. */
export const optionalValue = z.unknown().optional();
/** A map; absent is the empty one, null is refused (J4). */
export const metadata = z.custom<JsonNode>((given) => isObjectNode(given), { error: OBJECT }).optional();

export const usage = z.object(
  {
    requests: u64,
    input_tokens: u64,
    cache_write_tokens: u64.optional(),
    cache_write_1h_tokens: u64.optional(),
    cache_read_tokens: u64.optional(),
    output_tokens: u64,
    total_tokens: u64,
    tool_calls: u64.optional(),
  },
  { error: OBJECT },
);

export const traceContext = z.object(
  {
    trace_id: optionalText,
    span_id: optionalText,
    parent_span_id: optionalText,
    trace_state: optionalText,
    metadata,
  },
  { error: OBJECT },
);

function isU64(given: unknown): given is NumberText {
  return given instanceof NumberText && /^\d{1,20}$/.test(given.text) && BigInt(given.text) <= U64_MAX;
}

function isObjectNode(given: unknown): boolean {
  return typeof given === 'object' && given !== null && 'kind' in given && given.kind === 'object';
}
