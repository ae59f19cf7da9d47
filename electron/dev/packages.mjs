// @ts-check
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from './command.mjs';
import { say } from './say.mjs';

/** Installs node_modules when they are not what package-lock.json says; a stamp holds the lock file's hash. */
export async function packages() {
  const stamp = join(root, 'node_modules/.holdpoint-lock');
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  const borrowed = whyNotOurs(join(root, 'node_modules'));
  if (borrowed !== null) throw new Error(borrowed);
  say('installing the npm packages');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  await run(npm, ['ci', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'], { quiet: true });
  writeFileSync(stamp, lock);
}

/**
 * Why the packages must not be installed into this folder, or null. `npm ci` empties what a link points to first, and
 * that is somebody else's.
 * @param {string} folder
 */
export function whyNotOurs(folder) {
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) return null;
  return `${folder} is a link, and what it points to is not what package-lock.json says. Installing would empty that folder: remove the link, or bring the folder up to date, and try again.`;
}
