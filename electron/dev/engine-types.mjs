// @ts-check
// Puts the types of dist/engine.js beside it, so that an agent in TypeScript sees what it calls.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { bin, root, run } from './command.mjs';

const compiled = join(root, 'node_modules/.cache/types');
const IMPORT = /(?:from|import)\s*\(?\s*'(\.[^']+)\.js'/g;

/** The declaration files that one needs, itself included. @param {string} file @param {Set<string>} [seen] */
function reachable(file, seen = new Set()) {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, name] of readFileSync(file, 'utf8').matchAll(IMPORT))
    reachable(join(dirname(file), `${name}.d.ts`), seen);
  return seen;
}

/** Compiles the declarations and copies those of the engine to dist/types. */
export async function engineTypes() {
  await run(bin('tsc'), ['-b', 'electron'], { quiet: true });
  const types = join(root, 'dist/types');
  rmSync(types, { recursive: true, force: true });
  for (const file of reachable(join(compiled, 'electron/engine.d.ts'))) {
    const target = join(types, relative(compiled, file));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, readFileSync(file));
  }
  writeFileSync(join(root, 'dist/engine.d.ts'), "export * from './types/electron/engine.js';\n");
}
