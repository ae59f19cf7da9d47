import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { whyNotOurs } from '../../electron/dev/packages.mjs';

let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'holdpoint-packages-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

it('installs into a folder of its own or a new one, and never through a link', () => {
  const folder = join(home, 'node_modules');
  expect(whyNotOurs(folder)).toBeNull();
  mkdirSync(folder);
  expect(whyNotOurs(folder)).toBeNull();
  symlinkSync(folder, join(home, 'link'));
  expect(whyNotOurs(join(home, 'link'))).toMatch(/is a link.*would empty that folder/);
  symlinkSync(join(home, 'nowhere'), join(home, 'dangling'));
  expect(whyNotOurs(join(home, 'dangling'))).toMatch(/is a link/);
});
