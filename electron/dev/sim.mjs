// @ts-check
// `npm run sim`: bundles the simulation of test/sim for plain Node and runs it.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { bundleForNode } from './bundle.mjs';
import { root, run } from './command.mjs';

const outDir = join(root, 'test-results/sim');

/** @param {readonly string[]} args a number of schedules, and what else the simulation takes */
export async function sim(args) {
  rmSync(outDir, { recursive: true, force: true });
  await bundleForNode({ main: join(root, 'test/sim/main.ts') }, outDir);
  await run(process.execPath, [join(outDir, 'main.mjs'), ...args]);
}
