import type { SuspensionKey } from '../../shared/decision.js';
import { accepted, type Outcome, refused } from '../../shared/refusal.js';
import { parseUlid } from '../../shared/run-id.js';
import { readHeadMeta } from '../checkpoints/head.js';
import { HEADS, parseSuspension, runText, suspensionText } from '../checkpoints/keys.js';
import { readHead } from '../checkpoints/records.js';
import type { Head, KvStore } from '../store/contract.js';

/** Keys a page while looking through the store. */
const PAGE = 1024;

/**
 * The suspension that a text names (H1): its key as the list shows it, or any id of its run: run id (a ULID in either
 * case), thread id, checkpoint id. A run means its latest suspension, `RUN#2` the second one. Refused when nothing is
 * found, and when more than one run is, with what they are.
 */
export async function findRun(store: KvStore, text: string): Promise<Outcome<SuspensionKey>> {
  const whole = await findExactly(store, text);
  if (whole.ok || whole.refusal.code !== 'not_found') return whole;
  // A run id may hold a `#` itself, so the counter is split off only when the whole text names nothing.
  const [, run, seq] = /^(.*)#([1-9]\d{0,14})$/s.exec(text) ?? [];
  if (run === undefined || seq === undefined) return whole;
  const found = await findExactly(store, run);
  if (!found.ok) return found.refusal.code === 'not_found' ? whole : found;
  const key = { ...found.value, seq: Number(seq) };
  if ((await store.head(HEADS, suspensionText(key))) !== null) return accepted(key);
  return refused('not_found', `Run ${run} has no suspension ${seq}; its latest is ${found.value.seq}.`, {
    latest: found.value.seq,
  });
}

async function findExactly(store: KvStore, text: string): Promise<Outcome<SuspensionKey>> {
  const name = text.startsWith('s:') ? text.slice(2) : text;
  const key = parseSuspension(name);
  if (key !== null && (await store.head(HEADS, name)) !== null) return accepted(key);
  const byIndex = await collect(store, async (head, one) => isNamed(head, one, text));
  if (byIndex.length > 0) return choose(byIndex, text);
  // Checkpoint ids and long thread ids stand in the records only.
  return choose(await collect(store, (head, one) => isInRecord(store, head, one, text)), text);
}

type Test = (head: Head, key: SuspensionKey) => Promise<boolean>;

/** The latest suspension of every run that passes, tombstones included. */
async function collect(store: KvStore, test: Test): Promise<SuspensionKey[]> {
  const found = new Map<string, SuspensionKey>();
  for (let cursor: string | null = null; ; ) {
    const page = await store.keysPage(HEADS, cursor, PAGE, { tombstones: true });
    for (const head of page.heads) {
      const key = parseSuspension(head.key);
      if (key === null || !(await test(head, key))) continue;
      const known = found.get(runText(key));
      if (known === undefined || known.seq < key.seq) found.set(runText(key), key);
    }
    if (page.next === null) return [...found.values()];
    cursor = page.next;
  }
}

function choose(found: readonly SuspensionKey[], text: string): Outcome<SuspensionKey> {
  const [only, ...others] = found;
  if (only === undefined)
    return refused('not_found', `No run ${JSON.stringify(text)} in this data folder. "holdpoint list" names them all.`);
  if (others.length === 0) return accepted(only);
  const candidates = found.map(suspensionText);
  return refused(
    'bad_request',
    `${JSON.stringify(text)} may mean ${found.length} runs; name one of them: ${candidates.join(', ')}.`,
    { candidates },
  );
}

function isNamed(head: Head, key: SuspensionKey, text: string): boolean {
  if (key.runId === text || runText(key) === text) return true;
  const [given, own] = [parseUlid(text), parseUlid(key.runId)];
  if (given.ok && own.ok && given.id === own.id) return true;
  return readHeadMeta(head.meta)?.th === text;
}

async function isInRecord(store: KvStore, head: Head, key: SuspensionKey, text: string): Promise<boolean> {
  if (head.deleted) return false;
  try {
    const at = await readHead(store, key);
    return at !== null && (at.head.checkpointId === text || at.head.threadId === text);
  } catch {
    return false; // A head that cannot be read is named by its key only.
  }
}
