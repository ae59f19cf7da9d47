import { z } from 'zod';
import { BulkList, MOST_BULK } from './bulk.js';
import type { EventChannel, InvokeChannel } from './channels.js';
import { PendingCall, ReadRefusal, ToolCall, Warning } from './checkpoint.js';
import { Binding, Decision, SuspensionKey } from './decision.js';
import { Attached, Draft } from './draft.js';
import { FileBeside } from './file-beside.js';
import { HistoryEvent } from './history-event.js';
import { HistoryFilter } from './history-filter.js';
import { ImportRow } from './import-row.js';
import { Insight } from './insight.js';
import { Journal } from './journal.js';
import { KeyStatus, SignatureView } from './key-status.js';
import { DecidedMany, Proposal, Released, Submission } from './proposal.js';
import { QueueQuery } from './queue.js';
import { QueuePage, QueuePlace, QueueState } from './queue-rows.js';
import { Refusal, reply } from './refusal.js';
import { RULE_STATES, Rule, RuleDraft, RuleList } from './rule.js';
import { ItemId, RunRow } from './run-row.js';
import { ROUTES, Settings } from './settings.js';
import { STATUSES } from './states.js';
import { TeamTest } from './team.js';
import { OfferedTool, ToolCount } from './tool-import.js';
import { ToolClaims, ToolFacts } from './tool-table.js';
import { UnderWayView } from './under-way.js';

export const CallView = PendingCall.omit({ arguments: true }).extend({
  /** The raw argument text, cut at 64 KiB of UTF-16 units; the rest by `run:argument`. */
  argumentsText: z.string(),
  argumentsLength: z.number().int(),
  facts: ToolFacts,
  server: z.string().nullable(),
  claims: ToolClaims,
  /** What is sent when approved as it is: the text itself, `{}` for an empty string or null, or one decoding step. */
  sentAs: z.enum(['as_written', 'empty_object', 'decoded_once', 'not_sendable']),
  /** True when the transcript already holds an answer for this call: shown, never dispatched (H7). */
  answered: z.boolean(),
  warnings: z.array(Warning),
  draft: Draft,
  /** Its server gave a schema: an edit is held to it by `edit:check`, and again when it is decided. */
  hasSchema: z.boolean().optional(),
});
export type CallView = z.infer<typeof CallView>;

/** One message for the conversation pane; long text is cut at 16 KiB and fetched whole by `run:message`. */
export const MessageView = z.strictObject({
  index: z.number().int(),
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z.string(),
  contentLength: z.number().int(),
  toolCalls: z.array(ToolCall),
  toolCallId: z.string().nullable(),
});
export type MessageView = z.infer<typeof MessageView>;

/** Why nothing moves although it was decided, and since when. */
export const Waiting = z.strictObject({ code: z.string(), text: z.string(), since: z.string() });

export const RunDetail = z.strictObject({
  row: RunRow,
  /** Null when the record cannot be read. */
  binding: Binding.nullable(),
  refusal: ReadRefusal.nullable(),
  suspension: SuspensionKey.nullable(),
  checkpointId: z.string().nullable(),
  /** State of the file alone. */
  fileState: z.string(),
  size: z.number().int(),
  reason: z.string().nullable(),
  warnings: z.array(Warning),
  calls: z.array(CallView),
  /** False when the stop has no list of calls: the verdict is on the step itself. */
  hasCallList: z.boolean(),
  /** Why approving is refused now, in words; empty when it may be offered. */
  approveBlocked: z.array(z.string()),
  messages: z.array(MessageView),
  decision: Decision.nullable(),
  journal: Journal.nullable(),
  latch: z
    .strictObject({ kind: z.enum(['here', 'handed_over', 'upstream']), by: z.string(), at: z.string() })
    .nullable(),
  waiting: Waiting.nullable(),
  /** Set while this window's own process is continuing the run. */
  running: z.boolean(),
  finalAnswer: z.string().nullable(),
  history: z.array(HistoryEvent),
  /** Calls deep in the history without an answer, which approving would have to repair (C30). */
  unanswered: z.array(z.strictObject({ message: z.number().int(), id: z.string(), name: z.string() })),
  /** Answers to nothing in the history, which approving would have to leave out. */
  strays: z.array(z.strictObject({ message: z.number().int(), text: z.string() })).optional(),
  /** The system's own words and facts: phase, node, envelope version, claim state, and the records beside it. */
  classification: z.string().optional(),
  about: z.array(z.strictObject({ name: z.string(), value: z.string() })).optional(),
  neighbours: z.array(z.strictObject({ name: z.string(), value: z.string() })).optional(),
  /** The claim in starweaver's words, once there is one (S16, S17). */
  claimState: z.enum(['preflight', 'admitted', 'started']).optional(),
  /** A claim of somebody else that holds it, under which nothing has run: a person may say that it was given up there. */
  foreignClaim: z.strictObject({ id: z.string(), at: z.string(), words: z.string(), digest: z.string() }).optional(),
  /** Why the decision that stands here fires nothing: nobody known has signed it as it is. A person decides anew. */
  tampered: Refusal.optional(),
  /** Who signed the decision; a name is the one under which the key is known here. */
  signatures: z.array(SignatureView).optional(),
  /** What of it waits for a second reviewer's signature. */
  second: z.array(z.string()).optional(),
  /** Nothing waits, and it may be let go on: a decision with `step: approve` says so. */
  goesOn: z.boolean().optional(),
  /** Why it can only be handed over; then it never continues here. */
  onlyHandedOver: z.string().optional(),
  /** In flight: what the system refuses by default, and what may happen twice when it is let run again (R7). */
  retry: z
    .strictObject({
      turn: z.number().int(),
      refused: z.string(),
      warning: z.string(),
      /** What stands against that, in words; empty when it may be offered. */
      blocked: z.array(z.string()),
    })
    .optional(),
  /** What a finished record says came of its run; no model was asked for it. */
  storedOutcome: z
    .strictObject({ answer: z.string(), facts: z.array(z.strictObject({ name: z.string(), value: z.string() })) })
    .optional(),
  /** The suspension or finished record that came of this one, and the one that it continues. */
  continuedAs: ItemId.optional(),
  continues: ItemId.optional(),
});
export type RunDetail = z.infer<typeof RunDetail>;

export const GcStatus = z.strictObject({
  enabled: z.boolean(),
  lastAt: z.string().nullable(),
  reaped: z.number().int(),
  kept: z.number().int(),
  text: z.string(),
  nextAt: z.string().nullable(),
});
export type GcStatus = z.infer<typeof GcStatus>;

export const Health = z.strictObject({
  dataFolder: z.string(),
  readOnly: z.string().nullable(),
  runs: z.number().int(),
  unreadable: z.number().int(),
  decidedNotExecuted: z.number().int(),
  gc: GcStatus,
  empty: z.boolean(),
});
export type Health = z.infer<typeof Health>;

const Taken = z.strictObject({
  outcome: z.enum(['taken_in', 'already_known', 'refused']),
  id: ItemId.nullable(),
  name: z.string(),
  text: z.string(),
});
export type Taken = z.infer<typeof Taken>;

const TestResult = z.strictObject({ ok: z.boolean(), text: z.string(), tools: z.array(z.string()) });
const Slice = z.strictObject({ text: z.string(), from: z.number().int(), length: z.number().int() });
const From = z.number().int().min(0);

/**
 * The one typed map between window and main process, one row a channel: the argument tuple and the result. Both are parsed
 * on both sides; a refusal is a value (`{ok: false, refusal}`), never a thrown error.
 */
export const contract = {
  'app:info': {
    args: z.tuple([]),
    result: reply(
      z.strictObject({ version: z.string(), electron: z.string(), packaged: z.boolean(), platform: z.string() }),
    ),
  },
  'app:health': { args: z.tuple([]), result: reply(Health) },
  /** The item that a notification or the tray asked to show, once; null when there is none. */
  'app:wanted': { args: z.tuple([]), result: reply(ItemId.nullable()) },
  /** A report for others: versions, counts and kinds, nothing of a record or of the person. */
  'app:diagnose': { args: z.tuple([]), result: reply(z.string()) },
  /** What of the attention settings is not in force, in words. */
  'app:attention': { args: z.tuple([]), result: reply(z.strictObject({ problems: z.array(z.string()) })) },
  /** Builds the list anew, in the order of now, and gives its first page. Later answers are of this list until the next. */
  'queue:show': {
    args: z.tuple([QueueQuery]),
    result: reply(z.strictObject({ state: QueueState, page: QueuePage })),
  },
  /** What has become of a list; `not_found` when it is not the one that was built last. */
  'queue:state': { args: z.tuple([z.number().int()]), result: reply(QueueState) },
  /** Items from a place on, as they are now: `PAGE_ROWS` at most. */
  'queue:rows': { args: z.tuple([z.number().int(), From, z.number().int().min(0)]), result: reply(QueuePage) },
  /** Opens or closes what is folded at a place. */
  'queue:fold': { args: z.tuple([z.number().int(), From]), result: reply(QueueState) },
  /** Where an item stands; null when it is not in the list. */
  'queue:where': { args: z.tuple([z.number().int(), ItemId]), result: reply(QueuePlace.nullable()) },
  /** The next one after an item that still needs a person, wrapping round; null when there is none. */
  'queue:next': { args: z.tuple([z.number().int(), ItemId.nullable()]), result: reply(QueuePlace.nullable()) },
  /**
   * Runs to be marked: those that the row of an item stands for, or all in the list that need a person with the same tool
   * and class. `more`: so many above the limit.
   */
  'queue:marks': {
    args: z.tuple([z.number().int(), ItemId, z.enum(['row', 'tool'])]),
    result: reply(z.strictObject({ rows: z.array(RunRow), more: z.number().int() })),
  },
  /** The latest hold of the run that an item is of, where it is a later one; else null. */
  'run:successor': { args: z.tuple([ItemId]), result: reply(ItemId.nullable()) },
  'run:open': { args: z.tuple([ItemId]), result: reply(RunDetail) },
  'run:argument': { args: z.tuple([ItemId, z.number().int().min(0), From]), result: reply(Slice) },
  /** The answer of one call of the journal, by its place among calls and loop calls, from a character offset. */
  'run:result': { args: z.tuple([ItemId, z.number().int().min(0), From]), result: reply(Slice) },
  'run:message': { args: z.tuple([ItemId, z.number().int().min(0), From]), result: reply(Slice) },
  /** The record's own text (or its bytes as escaped text when it is not UTF-8), from a character offset, 256 KiB at most. */
  'run:raw': { args: z.tuple([ItemId, From]), result: reply(Slice) },
  /**
   * Reads the file that a call would change; its path is taken from the stored call. `true`: the reviewer asked for it;
   * `false`: only below the folders that the settings allow.
   */
  'run:file': { args: z.tuple([ItemId, z.number().int().min(0), z.boolean()]), result: reply(FileBeside) },
  /** Opens a web address in the system's browser, after a question that shows all of it; false when it was declined. */
  'link:open': { args: z.tuple([z.string().max(4096)]), result: reply(z.boolean()) },
  /** Asks for a place in a native dialog and writes the original bytes there; false when the person cancelled. */
  'run:export': { args: z.tuple([ItemId]), result: reply(z.boolean()) },
  /** How an edit of a call does not fit the schema that the call's tool server gave; none when it fits, or where there is none. */
  'edit:check': {
    args: z.tuple([ItemId, z.number().int().min(0), z.string()]),
    result: reply(z.array(z.strictObject({ path: z.string(), text: z.string() }))),
  },
  'run:draft': {
    args: z.tuple([ItemId, z.number().int().min(0), Draft]),
    result: reply(z.null()),
  },
  /** Asks for a file in a native dialog and gives its text, to be attached as a result; null when the person cancelled. */
  'answer:pick': { args: z.tuple([]), result: reply(Attached.nullable()) },
  /** The same for a file that was dropped: its name and bytes. */
  'answer:bytes': { args: z.tuple([z.string().max(1024), z.instanceof(Uint8Array)]), result: reply(Attached) },
  /** `until` RFC 3339, or null to wake it. */
  'run:snooze': { args: z.tuple([ItemId, z.string().nullable()]), result: reply(z.null()) },
  'run:route': { args: z.tuple([ItemId, z.enum(ROUTES)]), result: reply(z.null()) },
  /** Rejections and answers. What releases a call is refused here: it goes by `approve:offer`. */
  'decide:submit': { args: z.tuple([Submission]), result: reply(Decision) },
  /** What of these can be approved, or rejected, together: for the list that names exactly what will be decided. */
  'bulk:read': {
    args: z.tuple([z.array(ItemId).min(1).max(MOST_BULK), z.enum(['approve', 'reject'])]),
    result: reply(BulkList),
  },
  /** Rejections of several runs as one act; what releases a call is refused here, too. */
  'decide:submit-many': { args: z.tuple([z.array(Submission).min(1).max(MOST_BULK)]), result: reply(DecidedMany) },
  /** Takes several decisions back; each answers for itself. */
  'decide:undo-many': {
    args: z.tuple([z.array(ItemId).min(1).max(MOST_BULK)]),
    result: reply(z.array(z.strictObject({ id: ItemId, answer: reply(z.null()) }))),
  },
  'decide:undo': { args: z.tuple([ItemId]), result: reply(z.null()) },
  'decide:object': { args: z.tuple([ItemId, z.string()]), result: reply(z.null()) },
  /** Answers when the approve control was used, left, or the proposal taken back; one proposal at a time. */
  'approve:offer': { args: z.tuple([Proposal]), result: reply(Released) },
  'approve:withdraw': { args: z.tuple([]), result: reply(z.null()) },
  'resume:cancel': { args: z.tuple([ItemId]), result: reply(z.null()) },
  'resume:reconcile': {
    args: z.tuple([
      ItemId,
      z.number().int().min(0),
      z.discriminatedUnion('how', [
        z.strictObject({ how: z.literal('it_ran'), result: z.string(), note: z.string().optional() }),
        z.strictObject({ how: z.literal('it_did_not'), note: z.string().optional() }),
        z.strictObject({ how: z.literal('give_up'), note: z.string().optional() }),
      ]),
    ]),
    result: reply(z.null()),
  },
  /** Releases a handed-over claim of which no call was started (H13). */
  'resume:release': { args: z.tuple([ItemId]), result: reply(z.null()) },
  /**
   * A person says that the claim of somebody else was given up there, which no record can say (S16): named by the digest of
   * the claim that was on screen; recorded with name and time.
   */
  'resume:claim-given-up': {
    args: z.tuple([ItemId, z.strictObject({ digest: z.string(), note: z.string().max(4000) })]),
    result: reply(z.null()),
  },
  'intake:bytes': { args: z.tuple([z.string().max(1024), z.instanceof(Uint8Array)]), result: reply(Taken) },
  'intake:pick': { args: z.tuple([]), result: reply(z.array(Taken)) },
  'samples:add': { args: z.tuple([]), result: reply(z.array(Taken)) },
  /** Counts over the last so many days, today included. */
  'insight:read': { args: z.tuple([z.number().int().min(1).max(366)]), result: reply(Insight) },
  'history:list': { args: z.tuple([]), result: reply(z.array(HistoryEvent)) },
  /** Asks for a place in a native dialog and writes what the filter lets through; how many events, null when cancelled. */
  'history:export': {
    args: z.tuple([HistoryFilter, z.enum(['jsonl', 'csv'])]),
    result: reply(z.number().int().nullable()),
  },
  /** Where the data folder would go, from a native dialog, and why it cannot; null when cancelled. Refused while it may not move. */
  'folder:choose': {
    args: z.tuple([]),
    result: reply(z.strictObject({ path: z.string(), wrong: z.string().nullable() }).nullable()),
  },
  /** Moves the data folder there and goes on in it; the whole window is told anew. */
  'folder:move': {
    args: z.tuple([z.string().max(4096)]),
    result: reply(z.strictObject({ to: z.string(), files: z.number().int() })),
  },
  /** Writes everything, or the runs of one status, to a file from a native dialog; null when cancelled. */
  'backup:export': {
    args: z.tuple([z.enum(STATUSES).nullable()]),
    result: reply(
      z
        .strictObject({
          records: z.number().int(),
          payloads: z.number().int(),
          files: z.number().int(),
          left: z.array(z.string()),
        })
        .nullable(),
    ),
  },
  /** A backup from a native dialog, and what bringing it in would do with each run; null when cancelled. */
  'backup:preview': {
    args: z.tuple([]),
    result: reply(z.strictObject({ name: z.string(), rows: z.array(ImportRow) }).nullable()),
  },
  /** Brings in the backup that was looked at last; the named runs are brought up to it. */
  'backup:import': { args: z.tuple([z.array(z.string())]), result: reply(z.array(ImportRow)) },
  /** Rules that answer in a person's stead, each with what people said where it speaks. */
  'rules:list': { args: z.tuple([]), result: reply(RuleList) },
  /**
   * Makes a rule for calls like this one, in shadow, after a native question that shows it whole; null when the person
   * declined. Source, server and tool are taken from the stored call.
   */
  'rules:add': {
    args: z.tuple([ItemId, z.number().int().min(0), RuleDraft]),
    result: reply(Rule.nullable()),
  },
  /** Moves a rule as it was seen (its revision). To let it decide, or to end one that rejects, is asked natively; null: declined. */
  'rules:move': {
    args: z.tuple([z.string().max(64), z.number().int(), z.enum(RULE_STATES)]),
    result: reply(Rule.nullable()),
  },
  /** Pauses all rules at once, or lets them go on after a native question; what holds afterwards. */
  'rules:pause': { args: z.tuple([z.boolean()]), result: reply(z.strictObject({ paused: z.boolean() })) },
  /** The backup, import or move that is under way; null when there is none. */
  'keep:state': { args: z.tuple([]), result: reply(UnderWayView.nullable()) },
  /** Stops it; nothing half stays. False when it cannot be stopped any more, or there is none. */
  'keep:stop': { args: z.tuple([]), result: reply(z.boolean()) },
  'gc:sweep': { args: z.tuple([]), result: reply(GcStatus) },
  /** Makes this folder on this machine the store's home, in the reviewer's name (H16); until then it is read-only. */
  'store:take-over': { args: z.tuple([]), result: reply(z.null()) },
  'settings:get': { args: z.tuple([]), result: reply(Settings) },
  'settings:set': { args: z.tuple([Settings]), result: reply(Settings) },
  /** Stores a model endpoint's key in the system's key store; '' forgets it. Never read back. */
  'secret:set': {
    args: z.tuple([z.string().min(1).max(64), z.string().max(10_000)]),
    result: reply(z.strictObject({ stored: z.enum(['encrypted', 'forgotten']) })),
  },
  /** The tools that a server offers now, with what it claims of them: its own words. */
  'server:tools': { args: z.tuple([z.string().max(64)]), result: reply(z.array(OfferedTool)) },
  /** What was decided on each tool in the last so many days, and how many of its calls failed. */
  'tools:counts': { args: z.tuple([z.number().int().min(1).max(366)]), result: reply(z.array(ToolCount)) },
  'key:status': { args: z.tuple([]), result: reply(KeyStatus) },
  /** Writes the public key to a file from a native dialog; false when cancelled. */
  'key:save': { args: z.tuple([]), result: reply(z.boolean()) },
  /** Makes another signing key, after a native question; false when it was declined. */
  'key:renew': { args: z.tuple([]), result: reply(z.boolean()) },
  /** Writes the signed decision to a file from a native dialog; false when cancelled. */
  'decision:save': { args: z.tuple([ItemId]), result: reply(z.boolean()) },
  'server:test': { args: z.tuple([z.string()]), result: reply(TestResult) },
  'model:test': { args: z.tuple([z.string()]), result: reply(TestResult) },
  /** Tries the saved connection to the shared engine. */
  'team:test': { args: z.tuple([]), result: reply(TeamTest) },
} as const satisfies Record<InvokeChannel, { args: z.ZodType<readonly unknown[]>; result: z.ZodType }>;

export type Contract = typeof contract;
export type Args<C extends InvokeChannel> = z.input<Contract[C]['args']>;
export type ParsedArgs<C extends InvokeChannel> = z.output<Contract[C]['args']>;
export type Result<C extends InvokeChannel> = z.output<Contract[C]['result']>;

export interface HoldpointBridge {
  invoke<C extends InvokeChannel>(channel: C, ...args: Args<C>): Promise<Result<C>>;
  on(channel: EventChannel, listener: () => void): () => void;
}
