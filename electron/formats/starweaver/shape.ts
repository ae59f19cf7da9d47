import { z } from 'zod';
import { modelMessage, modelResponse, toolCall, toolReturn } from './message-shape.js';
import {
  LIST,
  metadata,
  OBJECT,
  optionalText,
  optionalU64,
  optionalValue,
  step,
  text,
  traceContext,
  u64,
  usage,
} from './scalars.js';

export const NODES = [
  'run_start',
  'prepare_model_request',
  'before_model_request',
  'model_response',
  'tool_call',
  'tool_return',
  'validate_output',
  'run_complete',
  'run_failed',
] as const;
export const STATUSES = ['starting', 'running', 'waiting', 'completed', 'failed', 'cancelled'] as const;
export type RunStatus = (typeof STATUSES)[number];

const node = z.enum(NODES, { error: `must be one of ${NODES.join(', ')}` });
const status = z.enum(STATUSES, { error: `must be one of ${STATUSES.join(', ')}` });
const returns = z.array(toolReturn, { error: LIST }).optional();

/** Where a resumed run picks up. */
const cursor = z.object(
  {
    model_request_attempt: u64,
    tool_call_batch_id: optionalText,
    output_validation_attempt: u64,
    stream_cursor: optionalU64,
    message_cursor: u64,
  },
  { error: OBJECT },
);

const resume = z.object(
  {
    node,
    status,
    run_step: step,
    cursor,
    usage,
    context_revision: optionalText,
    environment_ref: optionalText,
    pending_approval_count: u64,
    deferred_tool_count: u64,
    trace_context: traceContext.optional(),
    metadata,
  },
  { error: OBJECT },
);

const state = z.object(
  {
    run_id: text,
    conversation_id: text,
    message_history: z.array(modelMessage, { error: LIST }),
    usage,
    run_step: step,
    status,
    output: optionalText,
    structured_output: optionalValue,
    latest_response: modelResponse.nullish(),
    pending_tool_calls: z.array(toolCall, { error: LIST }).optional(),
    pending_tool_returns: returns,
    pending_approval_tool_returns: returns,
    deferred_tool_returns: returns,
    idle_messages: z.array(text, { error: LIST }).optional(),
    parent_run_id: optionalText,
    parent_task_id: optionalText,
    metadata,
  },
  { error: OBJECT },
);

/** AgentCheckpoint (FORMATS 4.2). Unknown keys are ignored here and kept in the bytes. */
export const Checkpoint = z.object(
  {
    checkpoint_id: text,
    run_id: text,
    conversation_id: text,
    node,
    run_step: step,
    resume,
    state,
    metadata,
  },
  { error: OBJECT },
);

/** The keys that are known, each with a meaning of its own. */
export const CHECKPOINT_KEYS: ReadonlySet<string> = new Set(Object.keys(Checkpoint.shape));
export const RESUME_KEYS: ReadonlySet<string> = new Set(Object.keys(resume.shape));
export const CURSOR_KEYS: ReadonlySet<string> = new Set(Object.keys(cursor.shape));
export const STATE_KEYS: ReadonlySet<string> = new Set(Object.keys(state.shape));
