import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { report } from './report.js';
import { open } from './world.js';

const PROCESSES = 8;
const SECONDS = 4;

/** Eight processes at one key. */
export async function processRows(root: string): Promise<void> {
  await (await open(root)).close();
  const side = join(import.meta.dirname, 'side.mjs');
  const results = await Promise.all(
    Array.from({ length: PROCESSES }, async () => {
      const child = spawn(process.execPath, [side, 'contend', root, 'contended', String(SECONDS)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let text = '';
      for await (const piece of child.stdout) text += String(piece);
      const { wins, conflicts }: { wins: number; conflicts: number } = JSON.parse(text);
      return { wins, conflicts };
    }),
  );
  const store = await open(root);
  const counter = await store.get('contended', 'counter');
  await store.close();
  const wins = results.map((one) => one.wins);
  const sum = wins.reduce((all, one) => all + one, 0);
  const facts = { wins: wins.join(' '), conflicts: results.reduce((all, one) => all + one.conflicts, 0) };
  const lost = sum - (counter?.revision ?? 0);
  report({
    name: 'contention of 8: wins without a revision of their own',
    value: lost,
    unit: 'opens',
    limit: 0,
    rule: 'exactly',
    facts,
  });
  const value = Math.min(...wins) / Math.max(...wins);
  report({
    name: 'contention of 8: fewest wins of a process to most',
    value,
    unit: 'x',
    limit: 0.2,
    rule: 'atLeast',
    facts,
  });
}
