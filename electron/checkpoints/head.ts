import { z } from 'zod';
import { SuspensionKey } from '../../shared/decision.js';
import { maskSecrets } from '../../shared/mask.js';
import { ROUTES } from '../../shared/settings.js';
import { runMark, shortMark } from './keys.js';

/** Who holds the right to continue. Taken by compare-and-set on the head, durable before the first effect (I2). */
export const Latch = z.strictObject({
  kind: z.enum(['here', 'handed_over']),
  /** sha256 of the claim token; the token itself is never stored. */
  claim: z.string(),
  by: z.strictObject({
    host: z.string(),
    boot: z.string(),
    pid: z.number().int(),
    /** When the process was started; absent in latches that were taken without it. */
    start: z.string().nullable().optional(),
    name: z.string(),
  }),
  at: z.string(),
  /** The decision this claim acts on, pinned to the revision that was read. Null: reconciled without one. */
  decisionId: z.string().nullable(),
  decisionRevision: z.number().int().nullable(),
  /** sha256 of that revision's bytes. Null also in claims from before it was kept. */
  decisionSha256: z.string().nullable().default(null),
  /** How often the right was taken again after a person settled unknown calls. */
  reopened: z.number().int().default(0),
});
export type Latch = z.infer<typeof Latch>;

export const Via = z.enum(['inbox', 'file', 'cli', 'sample', 'continued']);
export type Via = z.infer<typeof Via>;

/** The small record that is compared-and-set; the original bytes stand in it, or beside it as an immutable payload. */
export const Head = z.strictObject({
  v: z.literal(1),
  suspension: SuspensionKey,
  digest: z.string(),
  resumeStep: z.number().int(),
  threadId: z.string().nullable(),
  checkpointId: z.string().nullable(),
  fileState: z.enum(['waiting', 'latched', 'in_flight', 'running', 'finished']),
  /** Nanoseconds since the epoch, decimal; null when the record has no time of its own. */
  createdAtNs: z.string().nullable(),
  takenInAtNs: z.string(),
  via: Via,
  /** File name it came in with. */
  name: z.string().nullable(),
  route: z.enum(ROUTES),
  /** Why it stopped, where the agent said so (K5, H13). */
  reason: z.string().nullable(),
  original: z.discriminatedUnion('at', [
    z.strictObject({ at: z.literal('inline'), text: z.string() }),
    z.strictObject({ at: z.literal('payload'), sha256: z.string(), size: z.number().int() }),
  ]),
  tools: z.array(z.string()),
  calls: z.number().int(),
  preview: z.string(),
  latch: Latch.nullable(),
  withdrawn: z.strictObject({ by: z.string(), at: z.string() }).nullable(),
  supersededBy: z.number().int().nullable(),
  /** The suspension whose resume led here. */
  continues: z.number().int().nullable(),
  /** The same with its run, which may be another one (starweaver S15). */
  continuesKey: SuspensionKey.nullable().default(null),
  /** The record's own revision, where its system counts them (runifold R1). */
  revision: z.string().nullable().default(null),
  /** How far its run had come, where the record tells. */
  order: z.string().nullable().default(null),
  /** What its system says against its taking the place of the one before; it did so all the same (H2, S19). */
  conflict: z.string().nullable().default(null),
  /** One line in the system's own words. */
  classification: z.string().nullable().default(null),
  /** True when nothing in it waits for a person, and it can go on all the same. */
  goesOn: z.boolean().default(false),
  /** Equal where the same is asked: a digest of the pending calls' names and arguments. Null without calls. */
  asks: z.string().nullable().default(null),
});
export type Head = z.infer<typeof Head>;

/** What the index keeps of a head: enough for a list row, without reading the record. */
export const HeadMeta = z.strictObject({
  c: z.string().nullable(),
  t: z.string(),
  s: z.number().int(),
  th: z.string().nullable(),
  to: z.array(z.string()),
  n: z.number().int(),
  d: z.string(),
  r: z.enum(ROUTES),
  f: Head.shape.fileState,
  p: z.string(),
  re: z.string().nullable(),
  l: z.strictObject({ k: Latch.shape.kind, b: z.string(), a: z.string(), di: z.string().nullable() }).nullable(),
  w: z.string().nullable(),
  sb: z.number().int().nullable(),
  co: z.number().int().nullable(),
  /** The run that it continues, where that is another one, as `runMark` writes it. */
  cr: z.string().optional(),
  /** Checkpoint id, as `shortMark` writes it, revision and order. */
  ln: z.strictObject({ i: z.string().nullable(), r: z.string().nullable(), o: z.string().optional() }).optional(),
  cl: z.string().optional(),
  go: z.literal(true).optional(),
  /** What it asks, as `asks` says: for the list, which folds equal ones. */
  a: z.string().optional(),
  /** On a tombstone: how it ended, and when it was reaped. */
  end: z
    .strictObject({ status: z.enum(['expired', 'finished', 'failed', 'withdrawn', 'superseded']), at: z.string() })
    .optional(),
});
export type HeadMeta = z.infer<typeof HeadMeta>;

const cut = (text: string, length: number): string => (text.length <= length ? text : `${text.slice(0, length - 1)}…`);

/** Whether a head may be asking for this tool, as far as the index's copy says: it names the first few, and cuts long names. */
export function mayAskFor({ to, n }: HeadMeta, tool: string): boolean {
  return n > to.length || to.includes(cut(tool, LONGEST_TOOL)) || to.includes(cut(tool, EARLIER_LONGEST));
}

/** As long as model endpoints let a tool's name be: the list finds its class by the whole name. */
const LONGEST_TOOL = 64;
/** Heads that were written before that cut them here. */
const EARLIER_LONGEST = 32;

/** The index's copy of a head, kept under the store's 4 KB whatever the record holds. */
export function headMeta(head: Head, end?: HeadMeta['end']): string {
  const meta: HeadMeta = {
    c: head.createdAtNs,
    t: head.takenInAtNs,
    s: head.resumeStep,
    th: head.threadId === null ? null : cut(head.threadId, 80),
    to: head.tools.slice(0, 20).map((name) => cut(name, LONGEST_TOOL)),
    n: head.calls,
    d: head.digest,
    r: head.route,
    f: head.fileState,
    p: cut(maskSecrets(head.preview), 120),
    re: head.reason === null ? null : cut(maskSecrets(head.reason.slice(0, 4096)), 120),
    l: head.latch
      ? { k: head.latch.kind, b: cut(head.latch.by.name, 60), a: head.latch.at, di: head.latch.decisionId }
      : null,
    w: head.withdrawn ? cut(head.withdrawn.by, 60) : null,
    sb: head.supersededBy,
    co: head.continues,
    ...(head.continuesKey && head.continuesKey.runId !== head.suspension.runId
      ? { cr: runMark(head.continuesKey) }
      : {}),
    ...(head.checkpointId === null && head.order === null
      ? {}
      : {
          ln: {
            i: head.checkpointId === null ? null : shortMark(head.checkpointId),
            r: head.revision,
            ...(head.order === null ? {} : { o: head.order }),
          },
        }),
    ...(head.classification === null ? {} : { cl: cut(head.classification, 120) }),
    ...(head.goesOn ? { go: true } : {}),
    ...(head.asks === null ? {} : { a: head.asks }),
    ...(end ? { end } : {}),
  };
  const text = JSON.stringify(meta);
  // Worst case: every character takes six bytes as an escape. The digest and the counters are what recovery needs.
  return new TextEncoder().encode(text).length <= 4096
    ? text
    : JSON.stringify({ ...meta, to: meta.to.slice(0, 3), p: '', re: null, th: null, cl: '' });
}

/**
 * The same check as the schema's, a tenth as dear: a list of a hundred thousand runs makes it a hundred thousand times.
 * Only what is plain at a glance is told here; anything else is left to the schema.
 */
function isPlainMeta(meta: object): meta is HeadMeta {
  for (const [name, value] of Object.entries(meta))
    if (!Object.hasOwn(PLAIN, name) || !PLAIN[name as keyof HeadMeta]?.(value)) return false;
  return NEEDED.every((name) => name in meta);
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isTextOrNull = (value: unknown): boolean => value === null || typeof value === 'string';
const isNull = (value: unknown): boolean => value === null;
const isWhole = (value: unknown): boolean => Number.isSafeInteger(value);
const isOneOf =
  (values: readonly string[]) =>
  (value: unknown): boolean =>
    values.includes(value as string);
/** What most heads hold; a latch, a tombstone's end and their like go through the schema. */
const PLAIN: { readonly [K in keyof HeadMeta]?: (value: unknown) => boolean } = {
  c: isTextOrNull,
  t: isText,
  s: isWhole,
  th: isTextOrNull,
  to: (value) => Array.isArray(value) && value.every(isText),
  n: isWhole,
  d: isText,
  r: isOneOf(ROUTES),
  f: isOneOf(Head.shape.fileState.options),
  p: isText,
  re: isTextOrNull,
  l: isNull,
  w: isTextOrNull,
  sb: isNull,
  co: isNull,
  cl: isText,
  a: isText,
};
const NEEDED = ['c', 't', 's', 'th', 'to', 'n', 'd', 'r', 'f', 'p', 're', 'l', 'w', 'sb', 'co'] as const;

/** Null when the text is not ours (a newer Holdpoint wrote it): the caller then reads the record itself. */
export function readHeadMeta(text: string): HeadMeta | null {
  try {
    const meta: unknown = JSON.parse(text);
    if (typeof meta === 'object' && meta !== null && isPlainMeta(meta)) return meta;
    return HeadMeta.safeParse(meta).data ?? null;
  } catch {
    return null;
  }
}
