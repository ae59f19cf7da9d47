import { z } from 'zod';
import { LeftOut } from './bulk.js';
import type { ApproveChannel, ApproveEvent } from './channels.js';
import { System } from './checkpoint.js';
import { Unread } from './proposal.js';
import { reply } from './refusal.js';
import { ItemId } from './run-row.js';
import { OwnKeys, ROUTES, THEMES } from './settings.js';
import { EFFECTS, ToolFacts } from './tool-table.js';

/**
 * The second typed map: between the approve control in its own origin and the main process. Everything the control shows
 * comes by here, read by main from the store; nothing comes from the page.
 */

/** Up to this many UTF-16 units a text comes whole, and the control works out its digest itself. */
export const WHOLE_UNITS = 1024 * 1024;

/** One call that would be sent. */
export const ReleaseCall = z.strictObject({
  index: z.number().int(),
  name: z.string(),
  facts: ToolFacts,
  server: z.string().nullable(),
  sentAs: z.enum(['as_written', 'empty_object', 'decoded_once', 'not_sendable']),
  /** What the page names: the digest of the proposed arguments that it says are on screen. */
  proposedSha256: z.string(),
  /** Of the text that will be sent: the proposed one, or the reviewer's edit. */
  effectiveSha256: z.string(),
  edited: z.boolean(),
  /** Values of the edit that have another JSON type than the proposed ones: `limit: number → string`. */
  typesChanged: z.array(z.string()).optional(),
  /** The effective text, or its beginning when it is longer than WHOLE_UNITS. */
  text: z.string(),
  length: z.number().int(),
});
export type ReleaseCall = z.infer<typeof ReleaseCall>;

export const Release = z.strictObject({
  id: ItemId,
  act: z.enum(['decide', 'go_on', 'retry_turn', 'continue', 'redispatch']),
  source: z.string(),
  system: System,
  runId: z.string(),
  step: z.number().int(),
  route: z.enum(ROUTES),
  /** The gravest class of what would be sent. */
  effect: z.enum(EFFECTS),
  calls: z.array(ReleaseCall),
  /** Of the same batch, decided in the same act, and not sent. */
  others: z.array(z.strictObject({ index: z.number().int(), name: z.string(), verdict: z.enum(['reject', 'answer']) })),
  /** The turn that may have run already, with its warning. */
  retry: z.strictObject({ turn: z.number().int(), warning: z.string() }).nullable(),
  unread: z.array(Unread),
});
export type Release = z.infer<typeof Release>;

/** One run of several: beside what it would send, what its record as a whole makes a reader careful of. */
export const ListedRelease = Release.extend({ warnings: z.array(z.string()) });
export type ListedRelease = z.infer<typeof ListedRelease>;

/** Several runs in one act: each as it is alone, and what dropped out meanwhile. */
export const BulkRelease = z.strictObject({
  act: z.literal('decide_many'),
  tool: z.string(),
  /** Of each call in it; never the dangerous one. */
  effect: z.enum(EFFECTS),
  runs: z.array(ListedRelease),
  leftOut: z.array(LeftOut),
});
export type BulkRelease = z.infer<typeof BulkRelease>;

/**
 * What the control shows now. `seal` names exactly this content, and the keys that confirm it; a confirmation counts for it
 * and for nothing else.
 */
export const ApproveState = z.strictObject({
  theme: z.enum(THEMES),
  singleKeys: z.boolean(),
  /** The reviewer's own keys, as in the settings. */
  keys: OwnKeys,
  offered: z
    .strictObject({
      offer: z.string(),
      seal: z.string(),
      release: z.discriminatedUnion('act', [Release, BulkRelease]),
    })
    .nullable(),
});
export type ApproveState = z.infer<typeof ApproveState>;

export const approveContract = {
  'approve:view': { args: z.tuple([]), result: reply(ApproveState) },
  /** `scale`: device pixels to a CSS pixel, as the control sees it; a control that is shrunk does not count. */
  'approve:confirm': {
    args: z.tuple([z.string().max(64), z.string().max(64), z.number().positive()]),
    result: reply(z.null()),
  },
  'approve:leave': { args: z.tuple([z.string().max(64), z.string().max(40).nullable()]), result: reply(z.null()) },
} as const satisfies Record<ApproveChannel, { args: z.ZodType<readonly unknown[]>; result: z.ZodType }>;

type ApproveContract = typeof approveContract;
export type ApproveArgs<C extends ApproveChannel> = z.input<ApproveContract[C]['args']>;
export type ApproveParsed<C extends ApproveChannel> = z.output<ApproveContract[C]['args']>;
export type ApproveResult<C extends ApproveChannel> = z.output<ApproveContract[C]['result']>;

export interface ApproveBridge {
  invoke<C extends ApproveChannel>(channel: C, ...args: ApproveArgs<C>): Promise<ApproveResult<C>>;
  on(channel: ApproveEvent, listener: () => void): () => void;
}
