import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const config = join(root, '.dependency-cruiser.cjs');
const rules = (createRequire(import.meta.url)(config) as { forbidden: { name: string; severity: string }[] }).forbidden;

/** Checks a small tree of its own: path to source text. Returns `rule: from -> to` for each violation. */
function violations(home: string, tree: Readonly<Record<string, string>>): string[] {
  for (const folder of ['electron', 'renderer', 'shared', 'test']) {
    rmSync(join(home, folder), { recursive: true, force: true });
    mkdirSync(join(home, folder));
  }
  for (const [path, text] of Object.entries(tree)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  const cruise = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const parseTsx = join(root, 'electron/dev/parse-tsx.mjs');
  const options = ['--config', config, '--output-type', 'json', 'electron', 'renderer', 'shared', 'test'];
  const output = execFileSync(process.execPath, ['--import', parseTsx, cruise, ...options], {
    cwd: home,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const { summary } = JSON.parse(output) as {
    summary: { violations: { from: string; to: string; rule: { name: string; severity: string } }[] };
  };
  return summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`).sort();
}

describe('import rules', () => {
  let home = '';
  beforeAll(() => {
    home = mkdtempSync(join(tmpdir(), 'holdpoint-imports-'));
    symlinkSync(join(root, 'node_modules'), join(home, 'node_modules'));
    writeFileSync(join(home, 'package.json'), '{"type":"module"}');
  });
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  const end = 'export const end = 1;\n';

  it('lets through what the design allows', () => {
    const found = violations(home, {
      'shared/states.ts': "import { z } from 'zod';\nexport const state = z.string();\n",
      'electron/store/store.ts': "import { open } from 'node:fs/promises';\nimport '../../shared/states.js';\nopen;\n",
      'electron/formats/one.ts': "import { state } from '../../shared/states.js';\nexport const one = state;\n",
      'electron/checkpoints/decide.ts': "import { one } from '../formats/one.js';\nimport '../store/store.js';\none;\n",
      'renderer/App.tsx': "import { state } from '../shared/states.js';\nexport const App = () => <p>{String(state)}</p>;\n",
      'test/app.test.tsx': "import { App } from '../renderer/App.js';\n<App />;\n",
    });
    expect(found).toEqual([]);
  });

  const forbidden: Record<string, { tree: Record<string, string>; found: string[] }> = {
    'store-knows-no-checkpoint': {
      tree: {
        'electron/store/a.ts': "import type { End } from '../checkpoints/b.js';\nexport type A = End;\n",
        'electron/checkpoints/b.ts': 'export type End = 1;\n',
      },
      found: ['electron/store/a.ts -> electron/checkpoints/b.ts'],
    },
    'domain-without-electron': {
      tree: { 'electron/checkpoints/a.ts': "import { app } from 'electron';\napp;\n" },
      found: ['electron/checkpoints/a.ts -> node_modules/electron/electron.d.ts'],
    },
    'domain-without-files': {
      tree: {
        'electron/checkpoints/a.ts': "import { open } from 'node:fs/promises';\nopen;\n",
        'electron/checkpoints/b.ts': "import { readFileSync } from 'fs';\nreadFileSync;\n",
        'electron/checkpoints/c.ts': "export const late = () => import('node:fs');\n",
      },
      found: [
        'electron/checkpoints/a.ts -> fs/promises',
        'electron/checkpoints/b.ts -> fs',
        'electron/checkpoints/c.ts -> fs',
      ],
    },
    'formats-are-pure': {
      tree: {
        'electron/formats/a.ts': "import { end } from '../store/b.js';\nimport { join } from 'node:path';\nend; join;\n",
        'electron/store/b.ts': end,
      },
      found: ['electron/formats/a.ts -> electron/store/b.ts', 'electron/formats/a.ts -> path'],
    },
    'page-without-main-process': {
      tree: { 'renderer/a.tsx': "import { end } from '../electron/b.js';\n<p>{end}</p>;\n", 'electron/b.ts': end },
      found: ['renderer/a.tsx -> electron/b.ts'],
    },
    'page-without-node': {
      tree: { 'renderer/a.tsx': "import { readFileSync } from 'node:fs';\n<p>{readFileSync}</p>;\n" },
      found: ['renderer/a.tsx -> fs'],
    },
    'nothing-uses-the-page': {
      tree: { 'electron/a.ts': "export * from '../renderer/b.js';\n", 'renderer/b.tsx': end },
      found: ['electron/a.ts -> renderer/b.tsx'],
    },
    'shared-is-bare': {
      tree: {
        'shared/a.ts': "import { end } from '../electron/b.js';\nimport { join } from 'node:path';\nend; join;\n",
        'electron/b.ts': end,
      },
      found: ['shared/a.ts -> electron/b.ts', 'shared/a.ts -> path'],
    },
    'no-cycles': {
      tree: {
        'electron/a.ts': "import { b } from './b.js';\nexport const a = b;\n",
        'electron/b.ts': "import { a } from './a.js';\nexport const b = a;\n",
      },
      found: ['electron/a.ts -> electron/b.ts'],
    },
    resolvable: {
      tree: { 'electron/a.ts': "import { nowhere } from './nowhere.js';\nnowhere;\n" },
      found: ['electron/a.ts -> ./nowhere.js'],
    },
    'nothing-uses-tests': {
      tree: { 'electron/a.ts': "import { end } from '../test/b.js';\nend;\n", 'test/b.ts': end },
      found: ['electron/a.ts -> test/b.ts'],
    },
  };

  it('names a violation for every rule, and every rule is an error', () => {
    expect(Object.keys(forbidden).sort()).toEqual(rules.map((rule) => rule.name).sort());
    expect(rules.filter((rule) => rule.severity !== 'error')).toEqual([]);
  });

  it.each(Object.entries(forbidden))('%s can fail', (name, { tree, found }) => {
    expect(violations(home, tree)).toEqual(found.map((one) => `${name}: ${one}`));
  });
});
