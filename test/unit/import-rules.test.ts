import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const config = join(root, '.dependency-cruiser.cjs');
const rules = (createRequire(import.meta.url)(config) as { forbidden: { name: string; severity: string }[] }).forbidden;

let home = '';
afterEach(() => rmSync(home, { recursive: true, force: true }));

const PACKAGES = ['zod', 'electron'].flatMap((name): [string, string][] => [
  [`node_modules/${name}/package.json`, `{"name":"${name}","main":"index.js"}`],
  [`node_modules/${name}/index.js`, ''],
]);

/** Checks a small project of its own, path to source text; returns `rule: from -> to` for each violation. */
function violations(tree: Readonly<Record<string, string>>): string[] {
  home = mkdtempSync(join(tmpdir(), 'holdpoint-imports-'));
  const all = { 'package.json': '{"type":"module"}', ...Object.fromEntries(PACKAGES), ...tree };
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  const cruise = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const options = ['--config', config, '--output-type', 'json', 'electron', 'renderer', 'shared', 'test'];
  const node = ['--import', join(root, 'electron/dev/parse-tsx.mjs'), cruise, ...options];
  const { summary } = JSON.parse(execFileSync(process.execPath, node, { cwd: home, encoding: 'utf8' })) as {
    summary: { violations: { from: string; to: string; rule: { name: string } }[] };
  };
  return summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`).sort();
}

const ALLOWED = {
  'shared/states.ts': "import { z } from 'zod';\nexport const state = z.string();\n",
  'electron/store/store.ts': "import { open } from 'node:fs/promises';\nimport '../../shared/states.js';\nopen;\n",
  'electron/formats/one.ts': "import { state } from '../../shared/states.js';\nexport const one = state;\n",
  'electron/checkpoints/decide.ts': "import { one } from '../formats/one.js';\nimport '../store/store.js';\none;\n",
  'renderer/App.tsx':
    "import { state } from '../shared/states.js';\nexport const App = () => <p>{String(state)}</p>;\n",
  'test/app.test.tsx': "import { App } from '../renderer/App.js';\n<App />;\n",
};

/** For each rule: source texts that break it, and what is then found. Every file is named in one rule only. */
const FORBIDDEN: Record<string, { tree: Record<string, string>; found: string[] }> = {
  'store-knows-no-checkpoint': {
    tree: {
      'electron/store/a.ts': "import type { B } from '../checkpoints/b.js';\nexport type A = B;\n",
      'electron/checkpoints/b.ts': 'export type B = 1;\n',
    },
    found: ['electron/store/a.ts -> electron/checkpoints/b.ts'],
  },
  'domain-without-electron': {
    tree: { 'electron/checkpoints/c.ts': "import { app } from 'electron';\napp;\n" },
    found: ['electron/checkpoints/c.ts -> node_modules/electron/index.js'],
  },
  'electron-at-the-edge': {
    tree: {
      'electron/handlers/u.ts': "import { dialog } from 'electron';\ndialog;\n",
      'electron/shell/v.ts': "import { dialog } from 'electron';\ndialog;\n",
    },
    found: ['electron/handlers/u.ts -> node_modules/electron/index.js'],
  },
  'main-process-stays-free': {
    tree: {
      'electron/main.ts': "import { w } from './shell/w.js';\nw;\n",
      'electron/shell/w.ts': "import { x } from '../formats/x.js';\nexport const w = x;\n",
      'electron/formats/x.ts': 'export const x = 1;\n',
    },
    found: ['electron/main.ts -> electron/formats/x.ts'],
  },
  'domain-without-files': {
    tree: {
      'electron/checkpoints/d.ts': "import { open } from 'node:fs/promises';\nopen;\n",
      'electron/checkpoints/e.ts': "import { readFileSync } from 'fs';\nreadFileSync;\n",
      'electron/checkpoints/f.ts': "export const late = () => import('node:fs');\n",
    },
    found: [
      'electron/checkpoints/d.ts -> fs/promises',
      'electron/checkpoints/e.ts -> fs',
      'electron/checkpoints/f.ts -> fs',
    ],
  },
  'formats-are-pure': {
    tree: {
      'electron/formats/g.ts': "import { h } from '../store/h.js';\nimport { join } from 'node:path';\nh; join;\n",
      'electron/store/h.ts': 'export const h = 1;\n',
    },
    found: ['electron/formats/g.ts -> electron/store/h.ts', 'electron/formats/g.ts -> path'],
  },
  'page-without-main-process': {
    tree: {
      'renderer/i.tsx': "import { j } from '../electron/j.js';\n<p>{j}</p>;\n",
      'electron/j.ts': 'export const j = 1;\n',
    },
    found: ['renderer/i.tsx -> electron/j.ts'],
  },
  'page-without-node': {
    tree: { 'renderer/k.tsx': "import { readFileSync } from 'node:fs';\n<p>{readFileSync}</p>;\n" },
    found: ['renderer/k.tsx -> fs'],
  },
  'nothing-uses-the-page': {
    tree: { 'electron/l.ts': "export * from '../renderer/m.js';\n", 'renderer/m.tsx': 'export const m = 1;\n' },
    found: ['electron/l.ts -> renderer/m.tsx'],
  },
  'shared-is-bare': {
    tree: {
      'shared/n.ts': "import { o } from '../electron/o.js';\nimport { join } from 'node:path';\no; join;\n",
      'electron/o.ts': 'export const o = 1;\n',
    },
    found: ['shared/n.ts -> electron/o.ts', 'shared/n.ts -> path'],
  },
  'no-cycles': {
    tree: {
      'electron/p.ts': "import { q } from './q.js';\nexport const p = q;\n",
      'electron/q.ts': "import { p } from './p.js';\nexport const q = p;\n",
    },
    found: ['electron/p.ts -> electron/q.ts'],
  },
  resolvable: {
    tree: { 'electron/r.ts': "import { nowhere } from './nowhere.js';\nnowhere;\n" },
    found: ['electron/r.ts -> ./nowhere.js'],
  },
  'nothing-uses-tests': {
    tree: { 'electron/s.ts': "import { t } from '../test/t.js';\nt;\n", 'test/t.ts': 'export const t = 1;\n' },
    found: ['electron/s.ts -> test/t.ts'],
  },
};

describe('import rules', () => {
  it('let through what the design allows', () => {
    expect(violations(ALLOWED)).toEqual([]);
  });

  it('are errors, and each has a violation below', () => {
    expect(rules.filter((rule) => rule.severity !== 'error')).toEqual([]);
    expect(Object.keys(FORBIDDEN).sort()).toEqual(rules.map((rule) => rule.name).sort());
  });

  it('can each fail, and find nothing else', () => {
    const trees = Object.assign({}, ...Object.values(FORBIDDEN).map(({ tree }) => tree)) as Record<string, string>;
    const expected = Object.entries(FORBIDDEN).flatMap(([name, { found }]) => found.map((one) => `${name}: ${one}`));
    expect(violations({ ...ALLOWED, ...trees })).toEqual(expected.sort());
  });
});
