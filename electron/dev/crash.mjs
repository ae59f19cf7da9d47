// @ts-check
// `npm run crash`: bundles the trials of test/crash for plain Node and runs them.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { bundleForNode } from './bundle.mjs';
import { root, run } from './command.mjs';

const folder = join(root, 'test/crash');
const outDir = join(root, 'test-results/crash');
const programs = ['trials', 'mixed-worker', 'contend-worker', 'steady-worker'];

/** @param {readonly string[]} args a number of kills, and what else the trials take */
export async function crash(args) {
  rmSync(outDir, { recursive: true, force: true });
  const input = Object.fromEntries(programs.map((name) => [name, join(folder, `${name}.ts`)]));
  await bundleForNode(input, outDir);
  await run(process.execPath, [join(outDir, 'trials.mjs'), ...args]);
}
