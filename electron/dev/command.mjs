// @ts-check
// Child processes of the development scripts: argument arrays, ended with us, a non-zero end is an error.
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

const windows = process.platform === 'win32';

/** Path of a program that an npm package brings. @param {string} name */
export function bin(name) {
  return join(root, 'node_modules/.bin', windows ? `${name}.cmd` : name);
}

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => {
    for (const child of running) child.kill(signal);
    if (running.size === 0) process.exit(1);
  });
}

/**
 * Runs a program in the project's folder to its end. Nothing is read from stdin unless `interactive`.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ quiet?: boolean, interactive?: boolean, env?: NodeJS.ProcessEnv }} [options] `quiet` sends its output to stderr
 * @returns {Promise<void>} rejects when it cannot be started or ends with anything but 0
 */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      env: options.env ?? process.env,
      stdio: [options.interactive ? 'inherit' : 'ignore', options.quiet ? 2 : 'inherit', 'inherit'],
      shell: windows,
    });
    running.add(child);
    child.once('error', (cause) => {
      running.delete(child);
      reject(new Error(`${command} could not be started: ${cause.message}`));
    });
    child.once('exit', (code, signal) => {
      running.delete(child);
      if (code === 0) resolve();
      else reject(new CommandFailed(command, args, signal ?? code ?? 'nothing'));
    });
  });
}

export class CommandFailed extends Error {
  /** @param {string} command @param {readonly string[]} args @param {string | number} end */
  constructor(command, args, end) {
    super(`${[command, ...args].join(' ').replaceAll(root, '.')} ended with ${end}`);
    this.end = end;
  }
}
