import type { Retention } from './thin.js';

/** What whoever opens a store may choose. */
export interface FileStoreSettings {
  /** Milliseconds between two looks at a watched bucket. */
  pollMs: number;
  /** Milliseconds between two snapshots of the index. */
  snapshotMs: number;
  retention: Retention;
  /** Buckets whose revisions all stay. */
  keepAll: readonly string[];
}
