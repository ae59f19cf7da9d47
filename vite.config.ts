import { builtinModules } from 'node:module';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import type { EnvironmentOptions } from 'vite';
import { defineConfig } from 'vitest/config';
import { liveElectron } from './electron/dev/live.js';

const root = import.meta.dirname;
const testing = Boolean(process.env['VITEST']);
const dist = (folder: string) => join(root, 'dist', folder);

/** Nothing is loaded from node_modules at run time: all but Electron and Node's own modules goes into the bundle. */
const ownModulesOnly: { noExternal: true; external: string[] } = {
  noExternal: true,
  external: ['electron', ...builtinModules, ...builtinModules.map((name) => `node:${name}`)],
};

/** A bundle for Node: 20.18 is the Node inside the oldest Electron it runs on. */
const node = (outDir: string, input: Record<string, string>, chunks: string): EnvironmentOptions => ({
  consumer: 'server',
  resolve: { ...ownModulesOnly, conditions: ['node', 'import', 'module', 'default'] },
  build: {
    target: 'node20.18',
    outDir,
    minify: false,
    rolldownOptions: {
      input,
      output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: chunks },
    },
  },
});

const pageFiles = {
  entryFileNames: 'assets/[name].js',
  chunkFileNames: 'assets/[name].js',
  assetFileNames: 'assets/[name][extname]',
};

/** Milliseconds: no test is about time, so a busy machine gets what it needs. */
const PATIENCE = 60_000;

/** With a `testTimeout` of their own, files run one after the other: they fill the machine. */
const suite = (name: string, environment: 'node' | 'jsdom', include: string, testTimeout?: number) => ({
  extends: true as const,
  test: {
    name,
    environment,
    include: [include],
    testTimeout: testTimeout ?? PATIENCE,
    hookTimeout: PATIENCE,
    ...(testTimeout ? { fileParallelism: false } : {}),
  },
});

export default defineConfig({
  root: testing ? root : join(root, 'renderer'),
  publicDir: false,
  plugins: [react(), liveElectron(root, join(root, 'vite.config.ts'))],
  build: {
    target: 'chrome130',
    // Files are overwritten in place: a window or a test that runs from dist/ meanwhile keeps what it needs.
    emptyOutDir: false,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2000,
    modulePreload: { polyfill: false },
  },
  builder: {
    async buildApp(builder) {
      const { ssr: _unused, ...ours } = builder.environments;
      await Promise.all(Object.values(ours).map((environment) => builder.build(environment)));
    },
  },
  environments: {
    client: {
      build: {
        outDir: dist('renderer'),
        rolldownOptions: { output: pageFiles },
      },
    },
    // The approve control: a bundle of its own, served on its own origin.
    approve: {
      consumer: 'client',
      build: {
        outDir: dist('approve'),
        rolldownOptions: { input: join(root, 'renderer/approve.html'), output: pageFiles },
      },
    },
    main: node(
      dist('main'),
      {
        main: join(root, 'electron/main.ts'),
        worker: join(root, 'electron/worker/entry.ts'),
        search: join(root, 'electron/queue/search-entry.ts'),
      },
      '[name].js',
    ),
    preload: {
      consumer: 'server',
      resolve: ownModulesOnly,
      build: {
        target: 'chrome130',
        outDir: dist('preload'),
        minify: false,
        rolldownOptions: {
          input: join(root, 'electron/preload.ts'),
          // A sandboxed preload script must be one CommonJS file.
          output: { format: 'cjs', entryFileNames: '[name].cjs' },
        },
      },
    },
    cli: node(
      dist(''),
      { cli: join(root, 'electron/cli.ts'), engine: join(root, 'electron/engine.ts') },
      'lib/[name].js',
    ),
  },
  test: {
    coverage: {
      provider: 'v8',
      include: ['electron/**/*.ts', 'renderer/**/*.{ts,tsx}', 'shared/**/*.ts'],
      reporter: ['text', 'html'],
      reportsDirectory: join(root, 'test-results/coverage'),
    },
    projects: [
      suite('node', 'node', 'test/unit/**/*.test.ts'),
      suite('dom', 'jsdom', 'test/dom/**/*.test.tsx'),
      suite('crash', 'node', 'test/crash/**/*.test.ts', 600_000),
      suite('bench', 'node', 'test/bench/**/*.bench.ts', 1_800_000),
    ],
  },
});
