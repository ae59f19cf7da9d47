#!/usr/bin/env node
// @ts-check
// Stands in for fpm (CUSTOM_FPM_PATH) where electron-builder cannot download its own: makes a deb of folders by dpkg-deb.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const FLAGS = ['--force', '--debug'];

/** Options may repeat; what is no option is a `source=target` pair. @param {readonly string[]} argv */
function parse(argv) {
  /** @type {Map<string, string[]>} */
  const options = new Map();
  const pairs = [];
  for (let at = 0; at < argv.length; at++) {
    const argument = argv[at] ?? '';
    if (FLAGS.includes(argument)) continue;
    if (!argument.startsWith('-')) {
      const split = argument.lastIndexOf('=');
      pairs.push({ from: argument.slice(0, split), to: argument.slice(split + 1) });
    } else options.set(argument, [...(options.get(argument) ?? []), argv[++at] ?? '']);
  }
  return { pairs, all: (/** @type {string} */ name) => options.get(name) ?? [] };
}

const { pairs, all } = parse(process.argv.slice(2));
const one = (/** @type {string} */ name) => all(name)[0] ?? '';

/** The control file: one field a line, without the empty ones. @param {number} installedSize in KiB */
function control(installedSize) {
  const [summary = '', ...rest] = one('--description').split('\n');
  const fields = [
    ['Package', one('--name')],
    ['Version', [one('--version'), one('--iteration')].filter(Boolean).join('-')],
    ['Architecture', one('--architecture')],
    ['Maintainer', one('--maintainer')],
    ['Installed-Size', String(installedSize)],
    ['Depends', all('-d').join(', ')],
    ['Recommends', all('--deb-recommends').join(', ')],
    ['Section', one('--category') || 'default'],
    ['Priority', one('--deb-priority') || 'optional'],
    ['Homepage', one('--url')],
    ['Description', [summary, ...rest.map((line) => ` ${line.trim() || '.'}`)].join('\n')],
  ];
  return fields.map(([name, value]) => (value ? `${name}: ${value}\n` : '')).join('');
}

/** @param {string} tree folder that becomes `/` on the target machine */
function fill(tree) {
  // mkdtemp's 0700 would become the mode of `/` in the package.
  chmodSync(tree, 0o755);
  for (const { from, to } of pairs) {
    const target = join(tree, to);
    mkdirSync(dirname(target), { recursive: true, mode: 0o755 });
    cpSync(from, target, { recursive: true, verbatimSymlinks: true });
    if (statSync(from).isFile()) chmodSync(target, 0o644);
  }
  const size = execFileSync('du', ['-sk', tree], { encoding: 'utf8' });
  const scripts = { postinst: one('--after-install'), postrm: one('--after-remove') };
  mkdirSync(join(tree, 'DEBIAN'), { mode: 0o755 });
  for (const [name, file] of Object.entries(scripts)) {
    if (!file) continue;
    copyFileSync(file, join(tree, 'DEBIAN', name));
    chmodSync(join(tree, 'DEBIAN', name), 0o755);
  }
  writeFileSync(join(tree, 'DEBIAN/control'), control(Number.parseInt(size, 10)));
}

if (one('-s') !== 'dir' || one('-t') !== 'deb') {
  process.stderr.write(`this stand-in for fpm makes deb packages of folders only, not ${one('-t')} of ${one('-s')}\n`);
  process.exit(1);
}
const tree = mkdtempSync(join(tmpdir(), 'holdpoint-deb-'));
try {
  fill(tree);
  const compression = one('--deb-compression') === 'gz' ? 'gzip' : one('--deb-compression') || 'xz';
  const options = ['--root-owner-group', `-Z${compression}`, '--build', tree, one('--package')];
  execFileSync('dpkg-deb', options, { stdio: 'inherit' });
} finally {
  rmSync(tree, { recursive: true, force: true });
}
