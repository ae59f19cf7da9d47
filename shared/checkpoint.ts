import { z } from 'zod';
import type { FILE_STATES } from './states.js';

/**
 * Name of a source system, as its format says it: which there are stands in the list of formats and nowhere else, so that a
 * further one is one line there. `unknown` is a record whose system could not be told.
 */
export const System = z.string().regex(/^[a-z][a-z0-9]{0,31}$/);
export type System = z.infer<typeof System>;

/** A fact about a record that the reviewer must know. `path` is like `pending_tool_calls[0].args.amount`. */
export const Warning = z.strictObject({
  code: z.string(),
  path: z.string(),
  text: z.string(),
  /** True when approving is refused while this stands (I5, I12, H8). Rejecting stays possible. */
  blocksApproval: z.boolean(),
});
export type Warning = z.infer<typeof Warning>;

/** A tool call that waits for a person. Addressed by `index`, its position in the batch; ids may be empty or repeat. */
export const PendingCall = z.strictObject({
  index: z.number().int().min(0),
  /** As written; '' when the record gave an empty id, null when it gave none (H8). */
  id: z.string().nullable(),
  name: z.string(),
  /** The raw argument text, byte for byte as in the record. */
  arguments: z.string(),
  /** Lower-case hex sha256 of that text's UTF-8 bytes (H3). */
  argumentsSha256: z.string(),
  /** Absent: a verdict. `result`: the call is made elsewhere and waits for its result, no approval runs it. */
  needs: z.literal('result').optional(),
  /** With `needs`: the result is a person's answer to a question. */
  question: z.literal(true).optional(),
  /** What an edit of it may be. Absent: an object, as for every call of a tool. `any_value`: every JSON value (runifold R12). */
  edits: z.literal('any_value').optional(),
  /** Where the call and its arguments stand in the record, for warnings. Absent: `pending_tool_calls[index]`. */
  paths: z.array(z.string()).optional(),
});
export type PendingCall = z.infer<typeof PendingCall>;

export const ToolCall = z.strictObject({ id: z.string().nullable(), name: z.string(), arguments: z.string() });
export type ToolCall = z.infer<typeof ToolCall>;

/** One message of the conversation, in the normal form that the loop and the card read. */
export const Message = z.strictObject({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z.string(),
  toolCalls: z.array(ToolCall),
  toolCallId: z.string().nullable(),
});
export type Message = z.infer<typeof Message>;

/** Why and where a record was refused by its reader. */
export const ReadRefusal = z.strictObject({
  code: z.string(),
  /** Path in the record, '' for the whole. */
  path: z.string(),
  /** Byte offset, and 1-based line and column, where known. */
  offset: z.number().int().nullable(),
  line: z.number().int().nullable(),
  column: z.number().int().nullable(),
  text: z.string(),
});
export type ReadRefusal = z.infer<typeof ReadRefusal>;

/**
 * The normal form of one record (H1). Times are RFC 3339 in UTC with 0, 3, 6 or 9 fraction digits; `createdAtNs` is the
 * same instant as decimal nanoseconds since the epoch. `messages` is kept apart by `inspect`, which prints its length.
 */
export interface NormalRecord {
  system: System;
  runId: string;
  checkpointId: string | null;
  threadId: string | null;
  /** The record's own revision as text, where its system has one. */
  revision: string | null;
  createdAt: string | null;
  createdAtNs: bigint | null;
  updatedAt: string | null;
  completedStep: number | null;
  resumeStep: number;
  state: Exclude<(typeof FILE_STATES)[number], 'unreadable'>;
  resumable: boolean;
  /** null: the record says that no list of calls belongs to this stop (K2); []: an empty list. */
  pending: PendingCall[] | null;
  messages: Message[];
  warnings: Warning[];
  /** One line in the system's own words: "in flight: turn 2 may have run". Absent: the state says it all. */
  classification?: string;
  /** The system's own facts that matter to a reviewer: phase, node, envelope version, claim state. */
  about?: { name: string; value: string }[];
  /**
   * Tells which of two records of one run is the later one, where the record itself does: decimal numbers, the weightiest
   * first, parted by spaces. Absent: whatever comes in later is later.
   */
  order?: string;
  /** Why this record can only be handed over: nothing here could go on from it. Absent: both ways are open. */
  onlyHandedOver?: string;
}
