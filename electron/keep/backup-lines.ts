import { z } from 'zod';

/** The newest version of the container that this code reads, and the one it writes. */
export const BACKUP_FORMAT = 2;

/** The first line of a backup: what it is, and which store it was made of. */
export const BackupStart = z.strictObject({
  holdpoint: z.literal('backup'),
  /** 1 had the store alone. */
  format: z.union([z.literal(1), z.literal(BACKUP_FORMAT)]),
  madeAt: z.string(),
  by: z.string(),
  storeId: z.string(),
  /** STORE.json as it stands. */
  store: z.string(),
  /** The suspensions that were chosen; null: everything. */
  chosen: z.array(z.string()).nullable(),
});
export type BackupStart = z.infer<typeof BackupStart>;

/** One record file: its place below the store's folder, its first line, and its content as text, or as base64. */
export const BackupRecord = z.strictObject({
  t: z.literal('record'),
  file: z.string(),
  line: z.string(),
  body: z.string().optional(),
  base64: z.string().optional(),
});
export type BackupRecord = z.infer<typeof BackupRecord>;

/** A piece of a payload; pieces of one follow each other. */
export const BackupPayload = z.strictObject({
  t: z.literal('payload'),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  part: z.number().int().min(0),
  of: z.number().int().min(1),
  base64: z.string(),
});

/** A piece of a file beside the store; pieces of one follow each other. */
export const BackupFile = z.strictObject({
  t: z.literal('file'),
  /** Below the data folder. */
  file: z.string(),
  part: z.number().int().min(0),
  of: z.number().int().min(1),
  base64: z.string(),
});

/** The last line: how much there is, and the sha256 of every byte before this line. */
export const BackupEnd = z.strictObject({
  t: z.literal('end'),
  records: z.number().int(),
  payloads: z.number().int(),
  files: z.number().int().default(0),
  sha256: z.string(),
});

export const BackupLine = z.discriminatedUnion('t', [BackupRecord, BackupPayload, BackupFile, BackupEnd]);
