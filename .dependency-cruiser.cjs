/**
 * Who may import whom. Each rule is an error; test/unit/import-rules.test.ts shows that each can fail.
 * Types count as imports: what a folder may not use, it may not speak of either.
 */
const files = ['^(node:)?fs(/promises)?$', '^(graceful-fs|fs-extra)$'];
const electron = '^(node_modules/electron/|electron$)';

const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

module.exports = {
  forbidden: [
    rule(
      'store-knows-no-checkpoint',
      'The store knows keys and bytes.',
      { path: '^electron/store/' },
      { path: '^electron/checkpoints/' },
    ),
    rule(
      'domain-without-electron',
      'The domain is driven by its arguments.',
      { path: '^electron/checkpoints/' },
      { path: electron },
    ),
    rule(
      'electron-at-the-edge',
      'What needs Electron stands in the main process; what works stands in the worker, and asks shell.system for it.',
      {
        path: '^electron/',
        pathNot: '^electron/(shell/|dev/|(main|ipc|bridge|preload|window|app-protocol)[.]ts$|checkpoints/)',
      },
      { path: electron },
    ),
    rule(
      'main-process-stays-free',
      'The main process keeps windows; whatever reads, hashes or waits for a disk runs in the worker.',
      { path: '^electron/main[.]ts$' },
      { path: '^electron/(store|checkpoints|formats|handlers|inbox|refused)/|^electron/wiring[.]ts$', reachable: true },
    ),
    rule(
      'domain-without-files',
      'The domain reaches files through the store it is given.',
      { path: '^electron/checkpoints/' },
      { path: files },
    ),
    rule(
      'formats-are-pure',
      'A format turns text into a normal form and back: shared/, its own folder, schemas and hashes.',
      { path: '^electron/formats/' },
      { pathNot: '^(shared/|electron/formats/|(node_modules/)?zod(/|$)|crypto$)' },
    ),
    rule(
      'page-without-main-process',
      'The page speaks to the main process through shared/.',
      { path: '^renderer/' },
      { path: '^electron/' },
    ),
    rule('page-without-node', 'The page runs in a sandbox.', { path: '^renderer/' }, { dependencyTypes: ['core'] }),
    rule(
      'nothing-uses-the-page',
      'Nothing but the page and its tests imports the page.',
      { pathNot: '^(renderer|test)/' },
      { path: '^renderer/' },
    ),
    rule(
      'shared-is-bare',
      'Both sides load shared/: itself and zod, no more.',
      { path: '^shared/' },
      { pathNot: '^(shared/|(node_modules/)?zod(/|$))' },
    ),
    rule('no-cycles', 'Two files that need each other are one file, or lack a third.', {}, { circular: true }),
    rule(
      'resolvable',
      'An import that leads nowhere would escape every other rule.',
      { pathNot: '^electron/dev/default-app.js$' },
      { couldNotResolve: true },
    ),
    rule('nothing-uses-tests', 'Tests are imported by tests.', { pathNot: '^test/' }, { path: '^test/' }),
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    detectProcessBuiltinModuleCalls: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|test/fixtures|node_modules/\\.)' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      extensions: ['.ts', '.tsx', '.mjs', '.cjs', '.js', '.json', '.d.ts'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
