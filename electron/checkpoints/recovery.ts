import type { KvStore } from '../store/contract.js';
import { readHeadMeta } from './head.js';
import { markInterrupted } from './journal.js';
import { HEADS, JOURNALS, parseSuspension } from './keys.js';
import { readJournalMeta } from './meta.js';

/**
 * Start-up, in the one window that owns the folder: a call that was started here by a process that is gone may have
 * run. It is marked unknown and shown; nothing is dispatched again by itself (I8). Returns the keys that were marked.
 */
export async function markInterruptedHere(store: KvStore): Promise<string[]> {
  const marked: string[] = [];
  for (let cursor: string | null = null; ; ) {
    const page = await store.keysPage(JOURNALS, cursor, 256);
    for (const head of page.heads) {
      const key = parseSuspension(head.key);
      const meta = readJournalMeta(head.meta);
      if (!key || !meta?.startedAt) continue;
      const at = await store.head(HEADS, head.key);
      const kind = at ? readHeadMeta(at.meta)?.l?.k : undefined;
      // A handed-over call belongs to its agent, which may be alive; its age decides (H13).
      if (kind === 'handed_over') continue;
      if ((await markInterrupted(store, key, 'crash')) > 0) marked.push(head.key);
    }
    if (page.next === null) return marked;
    cursor = page.next;
  }
}
