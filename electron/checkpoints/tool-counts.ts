import type { SuspensionKey } from '../../shared/decision.js';
import type { ToolCount } from '../../shared/tool-import.js';
import type { KvStore } from '../store/contract.js';
import { readHeadMeta } from './head.js';
import { DECISIONS, HEADS, JOURNALS, parseSuspension, suspensionText } from './keys.js';
import { readDecision, readHead, readJournal } from './records.js';

type Said = Omit<ToolCount, 'source'>;

/** What came of one suspension's calls, by tool. */
interface Counted {
  /** Milliseconds since 1970. */
  at: number;
  source: string;
  said: Said[];
}

/**
 * How often each tool was approved, edited, rejected, and failed: read once from the records, then kept up to date by the
 * keys that the store names. What was taken back counts as nothing.
 */
export class ToolCounts {
  readonly #store: KvStore;
  readonly #known = new Map<string, Counted>();
  readonly #dirty = new Set<string>();
  #unwatch: (() => void)[] = [];
  #all = true;
  #reading: Promise<void> | null = null;

  constructor(store: KvStore) {
    this.#store = store;
  }

  /** Counts of what was decided from an instant on (milliseconds since 1970), the most decided first. */
  async since(from: number): Promise<ToolCount[]> {
    this.#reading ??= this.#catchUp().finally(() => {
      this.#reading = null;
    });
    await this.#reading;
    const counts = new Map<string, ToolCount>();
    for (const { at, source, said } of this.#known.values()) {
      if (at < from) continue;
      for (const { tool, ...one } of said) {
        const name = JSON.stringify([source, tool]);
        const before = counts.get(name) ?? { source, tool, approved: 0, edited: 0, rejected: 0, failed: 0 };
        counts.set(name, {
          source,
          tool,
          approved: before.approved + one.approved,
          edited: before.edited + one.edited,
          rejected: before.rejected + one.rejected,
          failed: before.failed + one.failed,
        });
      }
    }
    const total = (count: ToolCount): number => count.approved + count.edited + count.rejected;
    return [...counts.values()].sort((a, b) => total(b) - total(a));
  }

  close(): void {
    for (const stop of this.#unwatch) stop();
    this.#unwatch = [];
  }

  async #catchUp(): Promise<void> {
    if (this.#unwatch.length === 0)
      this.#unwatch = [DECISIONS, JOURNALS].map((bucket) =>
        this.#store.watch(bucket, (keys) => {
          if (keys === null) this.#all = true;
          else for (const key of keys) this.#dirty.add(key);
        }),
      );
    // The store tells of a write in the next turn of the loop.
    await new Promise<void>((resolve) => setImmediate(resolve));
    const names = this.#all ? await this.#everyName() : [...this.#dirty];
    this.#all = false;
    this.#dirty.clear();
    for (const name of names) {
      const key = parseSuspension(name);
      const counted = key && (await countedOf(this.#store, key));
      if (counted) this.#known.set(name, counted);
      else this.#known.delete(name);
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  }

  async #everyName(): Promise<string[]> {
    const names: string[] = [];
    for (let cursor: string | null = null; ; ) {
      const page = await this.#store.keysPage(DECISIONS, cursor, 1024);
      names.push(...page.heads.map(({ key }) => key));
      if (page.next === null) return names;
      cursor = page.next;
    }
  }
}

async function countedOf(store: KvStore, key: SuspensionKey): Promise<Counted | null> {
  const decision = await readDecision(store, key);
  if (decision.kind !== 'decision' || decision.decision.withdrawn) return null;
  const tools = await toolsOf(store, key);
  const journal = (await readJournal(store, key))?.journal;
  const said = new Map<string, Said>();
  const count = (tool: string | undefined, what: keyof Omit<Said, 'tool'>): void => {
    if (tool === undefined) return;
    const one = said.get(tool) ?? { tool, approved: 0, edited: 0, rejected: 0, failed: 0 };
    said.set(tool, { ...one, [what]: one[what] + 1 });
  };
  for (const { index, verdict, editedArguments } of decision.decision.verdicts) {
    if (verdict === 'reject') count(tools[index], 'rejected');
    else if (verdict === 'approve') count(tools[index], editedArguments === undefined ? 'approved' : 'edited');
  }
  for (const call of journal ? [...journal.calls, ...journal.loop] : [])
    if (call.state === 'failed') count(call.name, 'failed');
  return { at: Date.parse(decision.decision.decidedAt), source: key.source, said: [...said.values()] };
}

/** Of a run that was removed its tombstone still names the first few. */
async function toolsOf(store: KvStore, key: SuspensionKey): Promise<readonly string[]> {
  const at = await readHead(store, key);
  if (at) return at.head.tools;
  const head = await store.head(HEADS, suspensionText(key));
  return (head && readHeadMeta(head.meta)?.to) ?? [];
}
