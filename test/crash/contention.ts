import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openStore } from '../../electron/store/file-store.js';
import { type Operation, whyNotLinearizable } from './history.js';
import { idOf } from './value-acts.js';

export interface Contention {
  /** Won compare-and-sets, of all processes. */
  wins: number;
  conflicts: number;
  /** Wins of the process that had fewest, and most. */
  fewest: number;
  most: number;
  operations: number;
  problems: string[];
}

interface Said {
  name: string;
  won: [key: string, revision: number][];
  conflicts: number;
  seen: Operation[];
}

/** Processes that compare-and-set the same keys until each is at revision `goal`, and what is wrong with what they saw. */
export async function contend(
  worker: string,
  size: { processes: number; keys: number; goal: number; seed: number },
): Promise<Contention> {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-contend-'));
  const root = join(folder, 'store');
  try {
    const said = await together(worker, root, size);
    const wins = said.map(({ won }) => won.length);
    const operations = said.flatMap(({ seen }) => seen);
    return {
      wins: wins.reduce((sum, one) => sum + one, 0),
      conflicts: said.reduce((sum, one) => sum + one.conflicts, 0),
      fewest: Math.min(...wins),
      most: Math.max(...wins),
      operations: operations.length,
      problems: [...(await problemsOf(root, size, said)), ...[whyNotLinearizable(operations) ?? []].flat()],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function together(
  worker: string,
  root: string,
  size: { processes: number; keys: number; goal: number; seed: number },
): Promise<Said[]> {
  const children: ChildProcess[] = [];
  for (let n = 0; n < size.processes; n += 1) {
    const told = [root, `p${n}`, String(size.keys), String(size.goal), String(size.seed + n)];
    children.push(spawn(process.execPath, [worker, ...told], { stdio: ['pipe', 'pipe', 'inherit'] }));
  }
  const lines = children.map((child) =>
    createInterface({ input: child.stdout ?? process.stdin })[Symbol.asyncIterator](),
  );
  await Promise.all(lines.map((line) => line.next()));
  for (const child of children) child.stdin?.end('go\n');
  return Promise.all(lines.map(async (line) => JSON.parse((await line.next()).value ?? 'null')));
}

/** One winner a revision, each win is what the store holds, and no revision without a winner. */
async function problemsOf(root: string, size: { keys: number; goal: number }, said: Said[]): Promise<string[]> {
  const problems: string[] = [];
  const winners = new Map<string, string>();
  for (const { name, won } of said) {
    for (const [key, revision] of won) {
      const slot = `${key} ${revision}`;
      if (winners.has(slot)) problems.push(`${slot} was won by ${winners.get(slot)} and by ${name}`);
      winners.set(slot, name);
    }
  }
  const store = await openStore(root, { ballastBytes: 0, keepAll: ['runs'] });
  let revisions = 0;
  for (let n = 0; n < size.keys; n += 1) {
    const key = `key ${n}`;
    const newest = (await store.head('runs', key))?.revision ?? 0;
    if (newest !== size.goal) problems.push(`${key} ended at revision ${newest}, not ${size.goal}`);
    revisions += newest;
    for (let revision = 1; revision <= newest; revision += 1) {
      const kept = await store.getRevision('runs', key, revision);
      const held = kept === null ? 'nothing' : idOf(kept.value);
      const right = `${winners.get(`${key} ${revision}`)} ${revision}`;
      if (held !== right) problems.push(`${key} revision ${revision} holds ${held}, its winner wrote ${right}`);
    }
  }
  if (winners.size !== revisions) problems.push(`${winners.size} wins, and ${revisions} revisions`);
  await store.close();
  const temps = readdirSync(join(root, 'tmp')).length;
  if (temps > 0) problems.push(`${temps} files stayed under tmp/`);
  return problems;
}
