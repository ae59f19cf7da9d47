import { type Audited, keysIn } from '../store/audit.js';
import type { KvStore } from '../store/contract.js';
import type { Finding } from './finding.js';
import type { NewestFiles } from './newest-files.js';

const PAGE = 256;

/** What the index lists is what the files say. Keys that were written while it was looked are let through. */
export async function examineIndex(audited: Audited, store: KvStore, newest: NewestFiles): Promise<Finding[]> {
  const wrong: string[] = [];
  for (const bucket of newest.buckets)
    for (let cursor: string | null = null; ; ) {
      const page = await store.keysPage(bucket, cursor, PAGE, { tombstones: true });
      for (const head of page.heads) {
        const how = newest.listed(bucket, head);
        if (how === 'other') wrong.push(`${bucket} ${head.key}: listed as revision ${head.revision}, not as it is`);
        else if (how === 'unknown' && (await store.head(bucket, head.key)) === null)
          wrong.push(`${bucket} ${head.key}: listed, and not there`);
      }
      if (page.next === null) break;
      cursor = page.next;
    }
  // Their names are not kept, so they are looked for where there are such keys.
  if (newest.unlisted > 0)
    for (const bucket of newest.buckets)
      for (const { key } of keysIn(audited, bucket))
        if (key !== null && newest.isUnlisted(bucket, key)) wrong.push(`${bucket} ${key}: there, and not listed`);
  if (wrong.length === 0) return [{ level: 'ok', what: 'index', text: 'It lists what the files say.' }];
  return wrong.map((text) => ({
    level: 'problem',
    what: 'index',
    text,
    file: 'store/idx',
    advice: '"doctor --mend" removes the index; the next start makes it anew from the files.',
    mend: 'index',
  }));
}
