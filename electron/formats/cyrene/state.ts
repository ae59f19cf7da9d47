import { z } from 'zod';
import { type JsonNode, readJsonText } from '../../../shared/json.js';
import { inFewWords } from '../refuse-record.js';
import { NumberText, readStruct } from '../struct.js';
import { asGo, type GoShape, type Repeated } from './go-struct.js';

const INT64 = 9_223_372_036_854_775_807n;
const TEXT = 'must be a text';
const text = z.string({ error: TEXT });

const CALL: GoShape = { fields: { id: null, type: null, function: { fields: { name: null, arguments: null } } } };
const MESSAGES: GoShape = {
  items: { fields: { role: null, content: null, tool_calls: { items: CALL }, tool_call_id: null } },
};
const STATE: GoShape = {
  fields: { step: null, messages: MESSAGES, stop_reason: null, holdpoint_pending: MESSAGES },
};

/** Null and absent are the same zero value in Go; `asGo` has left null out. */
const message = z.object(
  {
    role: z.enum(['system', 'user', 'assistant', 'tool'], { error: 'must be one of system, user, assistant, tool' }),
    content: text.default(''),
    tool_calls: z
      .array(
        z.object(
          {
            id: text.optional(),
            function: z.object(
              { name: text.min(1, { error: 'must name a tool' }), arguments: text.default('') },
              { error: 'must be an object' },
            ),
          },
          { error: 'must be an object' },
        ),
        { error: 'must be a list' },
      )
      .default([]),
    tool_call_id: text.optional(),
  },
  { error: 'must be an object' },
);
export type CyreneMessage = z.infer<typeof message>;

const Shape = z.object(
  {
    step: z
      .custom<NumberText>(
        (value) =>
          value instanceof NumberText &&
          /^-?\d{1,19}$/.test(value.text) &&
          BigInt(value.text) <= INT64 &&
          BigInt(value.text) >= -INT64 - 1n,
        { error: 'must be a whole number of 64 bits, written without fraction or exponent' },
      )
      .transform((value) => BigInt(value.text))
      .optional(),
    messages: z.array(message, { error: 'must be a list or null' }).default([]),
    stop_reason: text.default(''),
    /** Ours alone: the messages of a step that a person is asked about. Go ignores the key. */
    holdpoint_pending: z.array(message, { error: 'must be a list' }).optional(),
  },
  { error: 'must be an object' },
);

/** The STATE column, decoded. */
export interface CyreneState {
  text: string;
  /** As written; keys in any letter case. */
  root: JsonNode;
  /** Inside the JSON; the column counts (C2). Null when it is not there. */
  step: bigint | null;
  messages: CyreneMessage[];
  stopReason: string;
  held: CyreneMessage[];
  repeated: Repeated[];
}

export type Decoded = { ok: true; state: CyreneState } | { ok: false; path: string; words: string };

/**
 * Decodes a STATE column. Stricter than Go in one thing (H5): what is no object, such as null, is refused and does not
 * become a state of zero values (CF2).
 */
export function decodeState(written: string): Decoded {
  const document = readJsonText(written);
  if (!document.ok) return { ok: false, path: document.fault.path, words: document.fault.text };
  if (document.root.kind !== 'object')
    return { ok: false, path: '', words: `it must be an object, not ${inFewWords(document.root)}` };
  const repeated: Repeated[] = [];
  const root = asGo(document.root, STATE, repeated);
  const struct = readStruct(Shape, { text: written, root }, new Set());
  if (!struct.ok) return { ok: false, path: struct.refusal.path, words: struct.refusal.text };
  const { step, messages, stop_reason: stopReason, holdpoint_pending: held } = struct.value;
  const state = {
    text: written,
    root: document.root,
    step: step ?? null,
    messages,
    stopReason,
    held: held ?? [],
    repeated,
  };
  return { ok: true, state };
}
