import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

interface Start {
  executablePath?: string;
  /** Before all other arguments. */
  args: string[];
}

/**
 * How to start the application so that a file without rights cannot be read. Root reads everything: as root it is
 * started without that power; nobody else has it anyway.
 */
export async function withoutRootRights(): Promise<Start> {
  if (process.getuid?.() !== 0) return { args: [] };
  // The package's default export is the path of the executable.
  const { default: electron } = (await import('electron')) as unknown as { default: string };
  const home = mkdtempSync(join(tmpdir(), 'holdpoint-rights-'));
  process.once('exit', () => rmSync(home, { recursive: true, force: true }));
  const executablePath = join(home, 'electron');
  const without = '-dac_override,-dac_read_search';
  writeFileSync(executablePath, `#!/bin/sh\nexec setpriv --bounding-set=${without} '${electron}' "$@"\n`, {
    mode: 0o700,
  });
  // With an executable of its own Playwright does not load itself into the main process: done here instead.
  const core = dirname(
    createRequire(createRequire(import.meta.url).resolve('playwright')).resolve('playwright-core/package.json'),
  );
  return { executablePath, args: ['-r', join(core, 'lib/server/electron/loader.js')] };
}
