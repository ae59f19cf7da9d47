// @ts-check
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
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
  say('installing the npm packages');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  await run(npm, ['ci', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'], { quiet: true });
  writeFileSync(stamp, lock);
}
