import { createRequire } from 'node:module';
import { join } from 'node:path';
import { decideMany } from '../../electron/checkpoints/decide.js';
import { DECISIONS, suspensionText } from '../../electron/checkpoints/keys.js';
import { decisionMeta } from '../../electron/checkpoints/meta.js';
import type { CasWrite } from '../../electron/store/contract.js';
import { inTurn, median } from './floor.js';
import { report } from './report.js';
import { approvalOf, benchPorts, recordBytes, takeInRun, unwrap } from './runs.js';
import { inUse, KB, open } from './world.js';

const MANY = 1000;
const ROUNDS = 5;

/** The part of better-sqlite3 that is used here; it is fetched for the bench alone. */
interface Sqlite {
  pragma(text: string): unknown;
  exec(text: string): unknown;
  prepare(text: string): { run(...values: unknown[]): { changes: number } };
  close(): void;
}

function openSqlite(file: string): Sqlite | null {
  const folder = process.env['HOLDPOINT_BENCH_PEERS'] ?? '';
  try {
    const Database: new (path: string) => Sqlite = createRequire(join(folder, 'x.js'))('better-sqlite3');
    const database = new Database(file);
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
    database.exec('CREATE TABLE decisions (key TEXT PRIMARY KEY, revision INTEGER, meta TEXT, value BLOB)');
    return database;
  } catch {
    return null;
  }
}

/** A bulk act of a thousand decisions, beside a database that commits each of them durably. */
export async function bulkRows(root: string): Promise<void> {
  const store = await open(root);
  const ports = benchPorts();
  await inUse(store, [DECISIONS]);
  const submitted = [];
  for (let n = 0; n < 200; n += 1) {
    submitted.push(await approvalOf(store, await takeInRun(store, ports, recordBytes(50_000_000 + n, 2 * KB))));
  }
  const [sample] = await decideMany(store, ports, submitted.slice(0, 1));
  if (sample === undefined) throw new Error('one decision');
  const decision = unwrap(sample);
  let made = 0;
  const next = (count: number): CasWrite[] =>
    Array.from({ length: count }, () => {
      made += 1;
      const suspension = { ...decision.suspension, seq: made + 10 };
      const value = Buffer.from(JSON.stringify({ ...decision, suspension, batchId: 'bulk' }), 'utf8');
      return { key: suspensionText(suspension), value, expected: null, options: { meta: decisionMeta(decision) } };
    });
  const sqlite = openSqlite(join(root, 'decisions.db'));
  const insert = sqlite?.prepare('INSERT OR IGNORE INTO decisions VALUES (?, 1, ?, ?)');
  const commit = ({ key, value, options }: CasWrite) => {
    if (insert?.run(key, options?.meta, value).changes !== 1) throw new Error('not inserted');
  };
  const all = async (writes: CasWrite[]) => {
    const failed = (await store.casMany(DECISIONS, writes)).find((one) => typeof one !== 'number');
    if (failed !== undefined) throw failed;
  };
  await all(next(200));
  const acts: Record<string, (n: number) => unknown> = { many: () => all(next(MANY)) };
  const single: Record<string, (n: number) => unknown> = {
    ours: () => {
      const [one] = next(1);
      return one === undefined ? null : store.cas(DECISIONS, one.key, one.value, null, one.options);
    },
  };
  if (insert !== undefined) {
    acts['sqlite'] = () => next(MANY).forEach(commit);
    single['sqlite'] = () => next(1).forEach(commit);
  }
  const bulk = await inTurn(ROUNDS, acts);
  const ones = await inTurn(200, single);
  const [ours, theirs] = [median(bulk['many'] ?? []), median(bulk['sqlite'] ?? [])];
  const facts = {
    ms: ours,
    sqlite_ms: theirs,
    rounds: ROUNDS,
    sqlite: insert === undefined ? 'not there' : 'WAL, FULL',
  };
  report({
    name: 'bulk act of 1,000 decisions against better-sqlite3',
    value: ours / theirs,
    unit: 'x',
    limit: 1,
    facts,
  });
  const [one, other] = [median(ones['ours'] ?? []), median(ones['sqlite'] ?? [])];
  const said = { ms: one, sqlite_ms: other };
  report({ name: 'a single decision against better-sqlite3', value: one / other, unit: 'x', facts: said });
  // With everything that is read and checked before.
  const rest = submitted.slice(1);
  const times = await inTurn(1, { act: async () => (await decideMany(store, ports, rest)).forEach(unwrap) });
  const value = median(times['act'] ?? []) / rest.length;
  report({ name: 'a decision in a bulk act, reading and checking included', value, unit: 'ms' });
  sqlite?.close();
  await store.close();
}
