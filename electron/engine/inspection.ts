import { z } from 'zod';
import { PendingCall, ReadRefusal, System, Warning } from '../../shared/checkpoint.js';
import { FILE_STATES } from '../../shared/states.js';
import { inspectJson } from '../formats/read-record.js';

/** The normal form of one record, read alone, as `holdpoint inspect --json` prints it. Systems may say more. */
export const Inspection = z.looseObject({
  system: System,
  runId: z.string().nullable(),
  checkpointId: z.string().nullable(),
  threadId: z.string().nullable(),
  revision: z.string().nullable(),
  createdAt: z.string().nullable(),
  updatedAt: z.string().nullable(),
  completedStep: z.number().int().nullable(),
  resumeStep: z.number().int().nullable(),
  state: z.enum(FILE_STATES),
  resumable: z.boolean(),
  pending: z.array(PendingCall),
  /** How many messages it holds. */
  messages: z.number().int(),
  warnings: z.array(Warning),
  refusal: ReadRefusal.nullable(),
  classification: z.string().optional(),
  about: z.array(z.strictObject({ name: z.string(), value: z.string() })).optional(),
});
export type Inspection = z.infer<typeof Inspection>;

export function inspect(bytes: Uint8Array): Inspection {
  return Inspection.parse(JSON.parse(inspectJson(bytes)));
}
