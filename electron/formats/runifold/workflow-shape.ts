import { z } from 'zod';
import { u32, u64 } from './numbers.js';
import { json, jsonMap, oneOf, text } from './tagged.js';
import { usage } from './usage-shape.js';

const object = { error: 'must be an object' };

const wait = z.discriminatedUnion(
  'kind',
  [
    z.object({ kind: z.literal('timer'), delay_ms: u64 }),
    z.object({ kind: z.literal('signal'), name: text }),
    z.object({ kind: z.literal('signal_or_timeout'), name: text, timeout_ms: u64 }),
    z.object({
      kind: z.literal('interrupt'),
      request: z.object({ interrupt_id: text, prompt: text, proposal: json }, object),
    }),
  ],
  oneOf('timer', 'signal', 'signal_or_timeout', 'interrupt'),
);
export type Wait = z.infer<typeof wait>;

const branch = z.discriminatedUnion(
  'state',
  [
    z.object({ state: z.literal('in_flight') }),
    z.object({ state: z.literal('completed'), output: json }),
    z.object({ state: z.literal('failed'), message: text }),
    z.object({ state: z.literal('cancelled') }),
  ],
  oneOf('in_flight', 'completed', 'failed', 'cancelled'),
);
const branches = z.record(z.string(), branch, object);

const phase = z.discriminatedUnion(
  'state',
  [
    z.object({ state: z.literal('ready') }),
    z.object({ state: z.literal('step_in_flight'), step: text }),
    z.object({ state: z.literal('waiting'), step: text, wait }),
    z.object({ state: z.literal('parallel_in_flight'), step: text, branches }),
    z.object({ state: z.literal('race_in_flight'), step: text, branches }),
    z.object({
      state: z.literal('completed'),
      outcome: z.object({ output: json, steps: jsonMap, usage }, object),
    }),
  ],
  oneOf('ready', 'step_in_flight', 'waiting', 'parallel_in_flight', 'race_in_flight', 'completed'),
);

const state = z.object(
  {
    workflow: text,
    workflow_version: u32,
    layout: z.array(text, { error: 'must be a list' }),
    next_index: u64,
    value: json,
    outputs: jsonMap,
    usage,
    phase,
  },
  object,
);
export type WorkflowState = z.infer<typeof state>;

/** The whole checkpoint, so that a refusal names the path from the top. */
export const WorkflowCheckpoint = z.object({ payload: state });

/** Keys whose values are free-form JSON. */
export const WORKFLOW_OPAQUE = new Set(['value', 'outputs', 'output', 'steps', 'proposal']);
