// @ts-check
// The system libraries that Electron is linked with on Linux, and Xvfb where there is no display.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { run } from './command.mjs';
import { say } from './say.mjs';

/** Library, and the Debian package that brings it; what these depend on covers the rest. */
const LIBRARIES = new Map([
  ['libgtk-3.so.0', 'libgtk-3-0'],
  ['libnss3.so', 'libnss3'],
  ['libasound.so.2', 'libasound2'],
  ['libgbm.so.1', 'libgbm1'],
]);

export function hasDisplay() {
  return process.platform !== 'linux' || Boolean(process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY']);
}

/** @returns {{ what: string, debian: string }[]} */
function missing() {
  const ldconfig = existsSync('/sbin/ldconfig') ? '/sbin/ldconfig' : 'ldconfig';
  const known = spawnSync(ldconfig, ['-p'], { encoding: 'utf8' }).stdout ?? '';
  const found = [...LIBRARIES]
    .filter(([library]) => !known.includes(`\t${library} `))
    .map(([what, debian]) => ({ what, debian }));
  if (!hasDisplay() && spawnSync('Xvfb', ['-help'], { stdio: 'ignore' }).error)
    found.push({ what: 'Xvfb', debian: 'xvfb' });
  return found;
}

/** Releases after Debian's 64-bit time change have some packages under a name that ends in t64. @param {string} name */
function currentName(name) {
  return spawnSync('apt-cache', ['show', `${name}t64`], { stdio: 'ignore' }).status === 0 ? `${name}t64` : name;
}

/** Installs what is missing as root on a Debian kind of system; elsewhere throws an error that says how to. */
export async function libraries() {
  if (process.platform !== 'linux') return;
  const lacking = missing();
  if (lacking.length === 0) return;
  const names = lacking.map(({ debian }) => debian);
  const what = lacking.map((one) => one.what).join(', ');
  if (spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status !== 0)
    throw new Error(`this machine lacks ${what}; install them (Debian's packages are named ${names.join(' ')})`);
  if (process.getuid?.() !== 0)
    throw new Error(
      `this machine lacks ${what}; install them: sudo apt-get install ${names.map(currentName).join(' ')}`,
    );
  say(`installing system packages: ${names.join(' ')}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await run('apt-get', ['-qq', 'update'], { quiet: true, env });
  const install = ['-qq', 'install', '-y', '--no-install-recommends', ...names.map(currentName)];
  await run('apt-get', install, { quiet: true, env });
}
