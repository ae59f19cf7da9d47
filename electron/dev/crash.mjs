// @ts-check
// `npm run crash`: bundles the trials of test/crash for plain Node and runs them.
import { rmSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { build } from 'vite';
import { root, run } from './command.mjs';

const folder = join(root, 'test/crash');
const outDir = join(root, 'test-results/crash');
const programs = ['trials', 'mixed-worker', 'contend-worker', 'steady-worker'];

/** @param {readonly string[]} args a number of kills, and what else the trials take */
export async function crash(args) {
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
        input: Object.fromEntries(programs.map((name) => [name, join(folder, `${name}.ts`)])),
        external: [...builtinModules, ...builtinModules.map((name) => `node:${name}`)],
        output: { format: 'es', entryFileNames: '[name].mjs', chunkFileNames: 'lib/[name].mjs' },
      },
    },
  });
  await run(process.execPath, [join(outDir, 'trials.mjs'), ...args]);
}
