// @ts-check
// `npm start`, `npm test` and the other scripts, from a fresh clone on. Usage: node electron/dev/run.mjs TASK [ARGUMENT…]
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { bin, CommandFailed, root, run } from './command.mjs';
import { display } from './display.mjs';
import { engineTypes } from './engine-types.mjs';
import { hasDisplay } from './libraries.mjs';
import { pack } from './pack.mjs';
import { closing, summary } from './report.mjs';
import { say } from './say.mjs';
import { setUp } from './setup.mjs';

const results = join(root, 'test-results');
const [task = 'start', ...rest] = process.argv.slice(2);

async function build() {
  await run(bin('vite'), ['build', '--app', '--logLevel', 'warn']);
}

/** @param {string[]} projects @param {string} report name of the JSON report @param {readonly string[]} args */
async function vitest(projects, report, args) {
  const chosen = projects.map((project) => `--project=${project}`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${join(results, report)}`];
  await run(bin('vitest'), ['run', ...chosen, ...reporters, ...args]);
}

/** @param {readonly string[]} args */
async function endToEnd(args) {
  if (!process.env['HOLDPOINT_NO_BUILD']) await build();
  const stop = await display();
  await run(bin('playwright'), ['test', '-c', 'test/e2e', ...args]).finally(stop);
}

/** Pictures of every screen in every theme, to be looked at. */
async function shots() {
  await build();
  const stop = await display();
  await run(bin('playwright'), ['test', '-c', 'test/shots', ...rest]).finally(stop);
  say(`the pictures are in ${process.env['HOLDPOINT_SHOTS'] ?? join(results, 'shots')}`);
}

/** Everything, and one closing line made of what the runners wrote down. */
async function test() {
  rmSync(results, { recursive: true, force: true });
  const runners = [
    { name: 'unit', report: 'unit.json', start: () => vitest(['node', 'dom', 'crash'], 'unit.json', []) },
    { name: 'e2e', report: 'e2e.json', start: () => endToEnd([]) },
  ];
  const summaries = [];
  for (const { name, report, start } of runners) {
    const endedWell = await start().then(
      () => true,
      (/** @type {Error} */ cause) => {
        say(cause.message);
        return false;
      },
    );
    summaries.push(summary(name, join(results, report), endedWell));
  }
  const { lines, ok } = closing(summaries);
  console.log(`\n${lines.join('\n')}`);
  if (!ok) process.exitCode = 1;
}

async function buildAndPack() {
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  await build();
  await pack(rest);
}

async function start() {
  await build();
  if (!hasDisplay()) say('there is no display here: the window opens on a virtual one, and nobody sees it');
  await display();
  const sandbox = process.platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  await run(bin('electron'), [...sandbox, root, ...rest]);
}

async function dev() {
  await display();
  await run(bin('vite'), rest, { interactive: true });
}

/** What a task needs, and what it does. @type {Record<string, [Parameters<typeof setUp>[0], () => Promise<void>]>} */
const tasks = {
  start: ['electron', start],
  dev: ['electron', dev],
  setup: ['all', () => Promise.resolve()],
  build: ['packages', () => build().then(engineTypes)],
  test: ['all', test],
  unit: ['servers', () => vitest(['node', 'dom'], 'unit.json', rest)],
  e2e: ['all', () => endToEnd(rest)],
  shots: ['electron', shots],
  // Vite is loaded when the packages are there.
  crash: ['packages', () => import('./crash.mjs').then(({ crash }) => crash(rest))],
  sim: ['packages', () => import('./sim.mjs').then(({ sim }) => sim(rest))],
  bench: ['packages', () => import('./bench.mjs').then(({ bench }) => bench(rest))],
  pack: ['electron', buildAndPack],
};

const chosen = tasks[task];
try {
  if (!chosen) throw new Error(`no task ${task}; there are ${Object.keys(tasks).join(', ')}`);
  const [need, action] = chosen;
  await setUp(need);
  await action();
} catch (cause) {
  say(cause instanceof Error ? cause.message : String(cause));
  process.exitCode = cause instanceof CommandFailed && typeof cause.end === 'number' ? cause.end : 1;
}
process.exit();
