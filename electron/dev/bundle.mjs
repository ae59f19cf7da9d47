// @ts-check
// Programs of the tests as plain JavaScript: code that is transformed while it runs is slower, and starts later.
import { builtinModules } from 'node:module';
import { build } from 'vite';
import { root } from './command.mjs';

/** Bundles programs for plain Node. @param {Record<string, string>} input path by name @param {string} outDir gets NAME.mjs */
export async function bundleForNode(input, outDir) {
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
        input,
        external: [...builtinModules, ...builtinModules.map((name) => `node:${name}`)],
        output: { format: 'es', entryFileNames: '[name].mjs', chunkFileNames: 'lib/[name].mjs' },
      },
    },
  });
}
