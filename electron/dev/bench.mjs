// @ts-check
// `npm run bench`: bundles the bench for plain Node, since code that is transformed while it runs is slower, and runs it.
import { mkdtempSync, rmSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import { root, run } from './command.mjs';

/** @param {readonly string[]} args groups of rows; none = all */
export async function bench(args) {
  const outDir = mkdtempSync(join(tmpdir(), 'holdpoint-bench-code-'));
  try {
    await build({
      configFile: false,
      root,
      logLevel: 'error',
      ssr: { noExternal: true },
      build: {
        ssr: true,
        outDir,
        target: 'node20',
        minify: false,
        rolldownOptions: {
          input: { main: join(root, 'test/bench/main.ts'), side: join(root, 'test/bench/side.ts') },
          external: [...builtinModules, ...builtinModules.map((name) => `node:${name}`)],
          output: { format: 'es', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
        },
      },
    });
    await run(process.execPath, ['--expose-gc', join(outDir, 'main.mjs'), ...args]);
  } finally {
    rmSync(outDir, { recursive: true, force: true });
  }
}
