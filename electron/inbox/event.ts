import type { SuspensionKey } from '../../shared/decision.js';
import type { Refusal } from '../../shared/refusal.js';

/** What became of one thing in the inbox. */
export type InboxEvent = { name: string; source: string | null } & (
  | { kind: 'taken_in' | 'already_known'; key: SuspensionKey }
  /** `left`: it was not moved, and stays in the inbox. `file`: its name in `refused/`. */
  | { kind: 'refused'; file: string; left: boolean; refusal: Refusal }
  /** The store or the disk cannot take it now; it stays, and is tried again. */
  | { kind: 'waits'; refusal: Refusal }
);
