// @ts-check
// Makes a fresh clone ready, on Node built-ins alone.
import { libraries } from './libraries.mjs';
import { natsServers } from './nats-server.mjs';
import { packages } from './packages.mjs';
import { electronRuntime } from './runtime.mjs';

const OLDEST_NODE = [20, 19];

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [wantMajor = 0, wantMinor = 0] = OLDEST_NODE;
  if (major < wantMajor || (major === wantMajor && minor < wantMinor))
    throw new Error(`Node.js ${OLDEST_NODE.join('.')} or newer is needed; this is ${process.versions.node}`);
}

/**
 * @param {'packages' | 'servers' | 'electron' | 'all'} need `servers` also brings what the tests start; `electron` the
 *   runtime (it may set ELECTRON_OVERRIDE_DIST_PATH) and the system's libraries
 */
export async function setUp(need) {
  checkNode();
  const installed = packages();
  if (need === 'servers' || need === 'all') await natsServers();
  if (need === 'packages' || need === 'servers') return installed;
  // All three at once: they wait for different servers. The first failure is told when all have ended.
  const results = await Promise.allSettled([electronRuntime(installed), installed, libraries()]);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
  const [runtime] = results;
  if (runtime.status === 'fulfilled' && runtime.value) process.env['ELECTRON_OVERRIDE_DIST_PATH'] = runtime.value;
}
