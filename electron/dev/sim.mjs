// @ts-check
// `npm run sim`: bundles the simulation of test/sim for plain Node and runs it.
import { rmSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { build } from 'vite';
import { root, run } from './command.mjs';

const outDir = join(root, 'test-results/sim');

/** @param {readonly string[]} args a number of schedules, and what else the simulation takes */
export async function sim(args) {
  rmSync(outDir, { recursive: true, force: true });
  await build({
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir,
      target: 'node20',
      minify: false,
      rolldownOptions: {
        input: { main: join(root, 'test/sim/main.ts') },
        external: [...builtinModules, ...builtinModules.map((name) => `node:${name}`)],
        output: { format: 'es', entryFileNames: '[name].mjs', chunkFileNames: 'lib/[name].mjs' },
      },
    },
  });
  await run(process.execPath, [join(outDir, 'main.mjs'), ...args]);
}
