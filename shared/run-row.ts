import { z } from 'zod';
import { System } from './checkpoint.js';
import { ROUTES } from './settings.js';
import { STATUSES } from './states.js';

/** Opaque name of one list item: a suspension, or a record that cannot be read. The page never builds one. */
export const ItemId = z.string().min(1).max(4096);

export const RunRow = z.strictObject({
  id: ItemId,
  status: z.enum(STATUSES),
  needsPerson: z.boolean(),
  system: System,
  source: z.string(),
  runId: z.string(),
  seq: z.number().int(),
  step: z.number().int().nullable(),
  threadId: z.string().nullable(),
  route: z.enum(ROUTES),
  /** Names of the pending tools in batch order (at most 20), and how many there are in all. */
  tools: z.array(z.string()),
  calls: z.number().int(),
  /** The gravest effect class in the batch. */
  effect: z.enum(['read_only', 'changes', 'destructive']),
  createdAt: z.string().nullable(),
  takenInAt: z.string().nullable(),
  /** When it expires by age; null when it does not. */
  expiresAt: z.string().nullable(),
  /** First words of the first call's arguments, escaped by the page. */
  preview: z.string(),
  /** One line: why it waits, why it cannot be read, what came of it. */
  note: z.string(),
  snoozedUntil: z.string().nullable(),
  /** When the last decision was made, and by whom. */
  decidedAt: z.string().nullable(),
  decidedBy: z.string().nullable(),
  /** Names of the rules that decided in that name, where no person did. */
  decidedByRule: z.string().optional(),
  /** Nothing in it waits for a person: listed under "other", to be inspected, exported, or let go on. */
  other: z.boolean().optional(),
  /** One line in the system's own words: "interrupted after step 4; nothing waits for a person". */
  classification: z.string().optional(),
});
export type RunRow = z.infer<typeof RunRow>;
