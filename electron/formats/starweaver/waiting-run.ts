import type { ToolApprovalDecision } from './decision.js';
import type { PendingItem } from './pending.js';
import type { DeferredResult } from './returns.js';

/** What goes to each pending call, by its position. */
export interface Prepared {
  decisions: { index: number; decision: ToolApprovalDecision }[];
  results: { index: number; result: DeferredResult }[];
}

/** A run whose pending items are gone through. */
export interface Waiting {
  sessionId: string;
  runId: string;
  text: string;
  items: readonly PendingItem[];
}
