// @ts-check
// `npm run bench`: bundles the bench for plain Node, since code that is transformed while it runs is slower, and runs it.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleForNode } from './bundle.mjs';
import { root, run } from './command.mjs';
import { cache } from './registry-runtime.mjs';
import { say } from './say.mjs';

/** What the store is measured beside. Not among the project's own packages: it is compiled, and only the bench needs it. */
const PEER = 'better-sqlite3@12.11.1';

/** Where the peer lies; fetched and compiled once. Without it its rows say that they were not measured. */
async function peers() {
  const folder = join(cache, 'bench');
  if (existsSync(join(folder, 'node_modules/better-sqlite3/build/Release/better_sqlite3.node'))) return folder;
  say(`fetching and compiling ${PEER}, once; this takes minutes`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  // Where the system brings the headers of its Node, none are fetched.
  const headers = existsSync('/usr/include/node/node.h') ? { npm_config_nodedir: '/usr' } : {};
  const options = { quiet: true, env: { ...process.env, ...headers } };
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  await run(npm, ['install', '--prefix', folder, '--no-audit', '--no-fund', '--save-exact', PEER], options).catch(
    (/** @type {Error} */ cause) => say(cause.message),
  );
  return folder;
}

/** @param {readonly string[]} args groups of rows; none = all */
export async function bench(args) {
  const env = { ...process.env, HOLDPOINT_BENCH_PEERS: await peers() };
  const outDir = mkdtempSync(join(tmpdir(), 'holdpoint-bench-code-'));
  try {
    const programs = ['main', 'side', 'keep-side'].map((name) => [name, join(root, `test/bench/${name}.ts`)]);
    await bundleForNode(Object.fromEntries(programs), outDir);
    await run(process.execPath, ['--expose-gc', join(outDir, 'main.mjs'), ...args], { env });
  } finally {
    rmSync(outDir, { recursive: true, force: true });
  }
}
