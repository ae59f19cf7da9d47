import type { KvStore } from '../store/contract.js';
import type { Newest } from './doctor-chains.js';
import type { Finding } from './finding.js';

const PAGE = 256;

/** What the index lists is what the files say. Keys that were written while it was looked are let through. */
export async function examineIndex(store: KvStore, newest: Newest): Promise<Finding[]> {
  const wrong: string[] = [];
  for (const [bucket, files] of newest) {
    const listed = new Set<string>();
    for (let cursor: string | null = null; ; ) {
      const page = await store.keysPage(bucket, cursor, PAGE, { tombstones: true });
      for (const head of page.heads) {
        listed.add(head.key);
        const file = files.get(head.key);
        const differs =
          file !== undefined &&
          (head.revision < file.revision ||
            (head.revision === file.revision && (head.meta !== file.meta || head.deleted !== file.deleted)));
        if (differs) wrong.push(`${bucket} ${head.key}: listed as revision ${head.revision}, not as it is`);
        else if (file === undefined && (await store.head(bucket, head.key)) === null)
          wrong.push(`${bucket} ${head.key}: listed, and not there`);
      }
      if (page.next === null) break;
      cursor = page.next;
    }
    for (const key of files.keys()) if (!listed.has(key)) wrong.push(`${bucket} ${key}: there, and not listed`);
  }
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
