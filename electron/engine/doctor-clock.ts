import { HEADS, SEALS, SWEEPS } from '../checkpoints/keys.js';
import type { KvStore } from '../store/contract.js';
import type { Finding } from './finding.js';
import type { NewestFiles } from './newest-files.js';

/** A clock may be this much ahead of another one; the clean-up tolerates as much. */
const TOLERANCE_MS = 5 * 60_000;

/** Times that lie ahead of this machine's clock: files, the last sweep, the newest seal. */
export async function examineClock(store: KvStore, newest: NewestFiles, now = Date.now()): Promise<Finding[]> {
  const what = 'clock';
  const found: string[] = [];
  const { count, file } = newest.late;
  if (count > 0) found.push(`${count} records were written at a time that is still to come, such as ${file}`);
  for (const [bucket, words] of [
    [SWEEPS, 'the last sweep'],
    [SEALS, 'a seal'],
  ] as const) {
    const at = await latest(store, bucket);
    if (at !== null && Date.parse(at) > now + TOLERANCE_MS) found.push(`${words} says ${at}`);
  }
  if (found.length === 0) return [{ level: 'ok', what, text: 'No time lies ahead of this machine’s clock.' }];
  return found.map((text) => ({
    level: 'warning',
    what,
    text: `${text}; this machine says ${new Date(now).toISOString()}.`,
    advice: 'Set the clock right. Sweeps are skipped until it has passed that time; nothing is removed too early.',
  }));
}

async function latest(store: KvStore, bucket: string): Promise<string | null> {
  const keys: string[] = bucket === SWEEPS ? [HEADS] : [];
  if (bucket === SEALS)
    for (let cursor: string | null = null; ; ) {
      const page = await store.keysPage(SEALS, cursor, 256);
      const last = page.heads.at(-1);
      if (last !== undefined) keys.splice(0, keys.length, last.key);
      if (page.next === null) break;
      cursor = page.next;
    }
  const [key] = keys;
  const entry = key === undefined ? null : await store.get(bucket, key).catch(() => null);
  try {
    const value: unknown = entry === null ? null : JSON.parse(new TextDecoder().decode(entry.value));
    return typeof value === 'object' && value !== null && 'at' in value ? String(value.at) : null;
  } catch {
    return null; // Told as unreadable already.
  }
}
