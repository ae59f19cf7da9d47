// @ts-check
// The servers of the shared engine that the tests start: Debian's packages, unpacked into the user's cache. The machine is
// left as it is, and no mirror is named here: it is the one of the machine's own sources.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cache } from './registry-runtime.mjs';
import { say } from './say.mjs';

/** The suites whose server is used: `own` is the machine's (in bookworm unfit for clusters), `cluster` one that is fit. */
const SUITES = { own: ownSuite(), cluster: 'trixie' };
/** @typedef {keyof typeof SUITES} Kind */

const folderOf = (/** @type {Kind} */ kind) => join(cache, `nats-server-${SUITES[kind]}`);
const programIn = (/** @type {string} */ folder) => join(folder, 'usr/sbin/nats-server');

function ownSuite() {
  if (!existsSync('/etc/os-release')) return 'none';
  return /^VERSION_CODENAME=(\w+)$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? 'none';
}

/**
 * The program, or why it cannot be had; looks into the cache alone.
 * @param {Kind} kind
 * @returns {{ program: string } | { missing: string }}
 */
export function natsServer(kind) {
  const folder = folderOf(kind);
  if (existsSync(programIn(folder))) return { program: programIn(folder) };
  const noted = join(folder, 'missing');
  const why = existsSync(noted)
    ? readFileSync(noted, 'utf8')
    : 'it was never fetched: npm run build does not, npm test does';
  return { missing: `no nats-server of Debian ${SUITES[kind]}: ${why}` };
}

/** Fetches what the cache lacks. Never fails: what cannot be had is noted with its reason, and its tests are skipped. */
export async function natsServers() {
  for (const kind of /** @type {Kind[]} */ (Object.keys(SUITES))) {
    if (existsSync(programIn(folderOf(kind)))) continue;
    await mkdir(folderOf(kind), { recursive: true });
    try {
      await unpack(SUITES[kind], folderOf(kind));
    } catch (cause) {
      const why = (cause instanceof Error ? cause.message : String(cause)).split('\n')[0] ?? '';
      say(`no nats-server of Debian ${SUITES[kind]} (${why}); the tests that need it are skipped`);
      await writeFile(join(folderOf(kind), 'missing'), why);
    }
  }
}

/** @param {string} suite @param {string} folder */
async function unpack(suite, folder) {
  const source = debianSource();
  if (source === null) throw new Error('this machine has no Debian sources');
  say(`fetching nats-server of Debian ${suite} for the tests`);
  const work = await mkdtemp(join(cache, 'nats-'));
  try {
    for (const part of ['state/lists/partial', 'cache/archives/partial', 'etc'])
      await mkdir(join(work, part), { recursive: true });
    await writeFile(join(work, 'state/status'), '');
    await writeFile(join(work, 'etc/sources.list'), `deb ${source.options}${source.mirror} ${suite} main\n`);
    apt(work, ['update']);
    apt(work, ['download', 'nats-server']);
    const deb = (await readdir(work)).find((name) => name.endsWith('.deb'));
    if (deb === undefined) throw new Error('apt-get left no package');
    execFileSync('dpkg-deb', ['-x', join(work, deb), join(work, 'out')], { stdio: 'pipe' });
    await rm(folder, { recursive: true, force: true });
    await rename(join(work, 'out'), folder).catch((/** @type {unknown} */ cause) => {
      if (!existsSync(programIn(folder))) throw cause;
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** apt-get in a root of its own. @param {string} work @param {readonly string[]} args */
function apt(work, args) {
  const options = [
    `Dir::Etc::sourcelist=${work}/etc/sources.list`,
    'Dir::Etc::sourceparts=/dev/null',
    `Dir::State=${work}/state`,
    `Dir::State::status=${work}/state/status`,
    `Dir::Cache=${work}/cache`,
    'Acquire::Languages=none',
    'APT::Sandbox::User=root',
    'Acquire::Retries=1',
    'Acquire::http::Timeout=20',
  ];
  execFileSync('apt-get', ['-qq', ...options.flatMap((option) => ['-o', option]), ...args], {
    cwd: work,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 120_000,
  });
}

/**
 * Where this machine has Debian's main from, in either of apt's two notations.
 * @returns {{ mirror: string, options: string } | null}
 */
function debianSource() {
  const parts = '/etc/apt/sources.list.d';
  const files = [
    '/etc/apt/sources.list',
    ...(existsSync(parts) ? readdirSync(parts).map((name) => join(parts, name)) : []),
  ];
  for (const file of files.filter((one) => /\.(list|sources)$/.test(one) && existsSync(one))) {
    const found = sourceIn(readFileSync(file, 'utf8'), ownSuite(), file.endsWith('.sources'));
    if (found !== null) return found;
  }
  return null;
}

/**
 * @param {string} text of a sources file @param {string} suite @param {boolean} stanzas deb822, or a line each
 * @returns {{ mirror: string, options: string } | null}
 */
export function sourceIn(text, suite, stanzas) {
  if (!stanzas) {
    for (const line of text.split('\n')) {
      const [, options = '', mirror = '', own, rest = ''] =
        /^deb\s+(\[[^\]]*\]\s+)?(\S+)\s+(\S+)\s+(.*)$/.exec(line.trim()) ?? [];
      if (own === suite && rest.split(/\s+/).includes('main'))
        return { mirror, options: options.trim() && `${options.trim()} ` };
    }
    return null;
  }
  for (const stanza of text.split(/\n\s*\n/)) {
    const field = (/** @type {string} */ name) =>
      (new RegExp(`^${name}:[ \\t]*(.*)$`, 'mi').exec(stanza)?.[1] ?? '').split(/\s+/).filter(Boolean);
    const [mirror] = field('URIs');
    if (
      !mirror ||
      !field('Types').includes('deb') ||
      !field('Suites').includes(suite) ||
      !field('Components').includes('main')
    )
      continue;
    const [key] = field('Signed-By');
    return { mirror, options: key ? `[signed-by=${key}] ` : '' };
  }
  return null;
}
