// @ts-check
// Which Electron to use: what is given, what is installed, the official download, or the registry runtime.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from './command.mjs';
import { registryRuntime, registryRuntimeIsCached } from './registry-runtime.mjs';
import { say } from './say.mjs';

const electron = join(root, 'node_modules/electron');

function officialIsInstalled() {
  const pathFile = join(electron, 'path.txt');
  return existsSync(pathFile) && existsSync(join(electron, 'dist', readFileSync(pathFile, 'utf8')));
}

/** One HEAD request, at most 8 seconds: GitHub's releases, or the mirror that Electron's installer is told to use. */
async function officialIsReachable() {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const release = `https://github.com/electron/electron/releases/download/v${manifest.devDependencies.electron}/SHASUMS256.txt`;
  const url = process.env['ELECTRON_MIRROR'] ?? process.env['npm_config_electron_mirror'] ?? release;
  return fetch(url, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(8000) }).then(
    (answer) => answer.status < 500,
    () => false,
  );
}

async function officialInstalls() {
  say('downloading the official Electron');
  return run(process.execPath, [join(electron, 'install.js')], { quiet: true }).then(
    () => true,
    () => false,
  );
}

/**
 * HOLDPOINT_RUNTIME: `auto` (default) falls back to the registry runtime, `official` never does, `registry` always.
 * @param {Promise<void>} packages settles when node_modules is whole: the official installer lives there
 * @returns {Promise<string>} a folder for ELECTRON_OVERRIDE_DIST_PATH; '' = the official one in node_modules
 */
export async function electronRuntime(packages) {
  const given = process.env['ELECTRON_OVERRIDE_DIST_PATH'];
  if (given) return given;
  const mode = process.env['HOLDPOINT_RUNTIME'] ?? 'auto';
  if (mode === 'registry') return registryRuntime();
  const fallback = mode !== 'official';
  if (fallback && !officialIsInstalled()) {
    if (registryRuntimeIsCached()) return registryRuntime();
    if (!(await officialIsReachable())) return registryRuntime();
  }
  await packages;
  if (officialIsInstalled() || (await officialInstalls())) return '';
  if (fallback) return registryRuntime();
  throw new Error('the official Electron could not be downloaded');
}
