import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { report } from './report.js';
import { filledStore } from './world.js';

/** Looks at a whole store, each in a process of its own: what it takes, and how much memory beside that of an empty process. */
const LOOKS = ['seal', 'verify', 'doctor', 'backup', 'plan'] as const;
/** Megabytes that the check of the history may take at 100,000 runs: it holds a few bytes a key, and the largest record. */
const MOST_VERIFY = 160;

export async function keepRows(folder: string, keys: number): Promise<void> {
  const root = join(folder, 'store');
  mkdirSync(root, { recursive: true, mode: 0o700 });
  await filledStore(root, keys, { decided: true });
  for (const look of LOOKS) {
    const { seconds, megabytes, said } = await aside(look, folder);
    const name = `${look} of ${keys} runs`;
    report({
      name: `${name}: memory`,
      value: megabytes,
      unit: 'MB',
      ...(look === 'verify' ? { limit: MOST_VERIFY } : {}),
      facts: { said },
    });
    report({ name: `${name}: time`, value: seconds, unit: 's' });
  }
}

async function aside(look: string, folder: string): Promise<{ seconds: number; megabytes: number; said: string }> {
  const side = join(import.meta.dirname, 'keep-side.mjs');
  const child = spawn(process.execPath, [side, look, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  for await (const piece of child.stdout) text += String(piece);
  return JSON.parse(text);
}
