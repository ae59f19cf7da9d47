import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { configFolder, locateDataFolder, openDataFolder } from '../../electron/data-folder.js';
import { refusalOf, unwrap } from '../helpers/world.js';

let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'holdpoint-home-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const around = (env: Record<string, string> = {}) => ({
  env,
  home,
  cwd: join(home, 'here'),
  platform: 'linux' as const,
});

/** Writes the pointer file of this home. */
function point(text: string): void {
  mkdirSync(join(home, '.config/holdpoint'), { recursive: true });
  writeFileSync(join(home, '.config/holdpoint/data-folder'), text);
}

describe('H11 which data folder it is', () => {
  it('takes --data before everything else', () => {
    point('/from/pointer');
    const located = unwrap(locateDataFolder('/from/option', around({ HOLDPOINT_DATA: '/from/env' })));
    expect(located).toEqual({ path: '/from/option', rule: 'option', said: '--data' });
  });

  it('takes HOLDPOINT_DATA before the pointer file, and an empty one as none', () => {
    point('/from/pointer\n');
    expect(unwrap(locateDataFolder(undefined, around({ HOLDPOINT_DATA: '/from/env' }))).path).toBe('/from/env');
    const located = unwrap(locateDataFolder(undefined, around({ HOLDPOINT_DATA: '' })));
    expect(located.path).toBe('/from/pointer');
    expect(located.rule).toBe('pointer');
    expect(located.said).toBe(join(home, '.config/holdpoint/data-folder'));
  });

  it('falls back to a folder beside the pointer file', () => {
    expect(unwrap(locateDataFolder(undefined, around()))).toEqual({
      path: join(home, '.config/holdpoint/data'),
      rule: 'default',
      said: 'the default',
    });
  });

  it('counts a relative path from the working folder, but not in the pointer file', () => {
    expect(unwrap(locateDataFolder('data', around())).path).toBe(join(home, 'here/data'));
    expect(unwrap(locateDataFolder(undefined, around({ HOLDPOINT_DATA: '../x' }))).path).toBe(join(home, 'x'));
    point('data');
    const refused = locateDataFolder(undefined, around());
    expect(refusalOf(refused)).toBe('bad_request');
    expect(refused.ok || refused.refusal.text).toContain('absolute path');
  });

  it.each([
    ['an empty option', ''],
    ['a NUL', '/x\0y'],
    ['a tilde that no shell replaced', '~/holdpoint'],
  ])('refuses %s', (_what, option) => {
    expect(refusalOf(locateDataFolder(option, around()))).toBe('bad_request');
  });

  it('refuses an empty or unreadable pointer file instead of showing another, empty folder', () => {
    point('');
    expect(refusalOf(locateDataFolder(undefined, around()))).toBe('bad_request');
    rmSync(join(home, '.config/holdpoint/data-folder'));
    mkdirSync(join(home, '.config/holdpoint/data-folder'));
    expect(refusalOf(locateDataFolder(undefined, around()))).toBe('fault');
  });

  it.each([
    ['linux', { XDG_CONFIG_HOME: '/xdg' }, '/xdg/holdpoint'],
    ['linux', { XDG_CONFIG_HOME: 'relative' }, '~/.config/holdpoint'],
    ['darwin', {}, '~/Library/Application Support/holdpoint'],
    ['win32', { APPDATA: '/Users/a/AppData/Roaming' }, '/Users/a/AppData/Roaming/holdpoint'],
    ['win32', {}, '~/AppData/Roaming/holdpoint'],
  ] as const)('on %s with %o the configuration is in %s', (platform, env, path) => {
    expect(configFolder({ platform, env, home })).toBe(path.replace('~', home));
  });
});

describe('H11 opening it', () => {
  const open = (path: string, make = true) => openDataFolder({ path, rule: 'option', said: '--data' }, { make });

  it('makes it with its folders, for this user alone', () => {
    const folder = unwrap(open(join(home, 'data')));
    for (const path of [folder.path, folder.store, folder.inbox, folder.refused])
      expect(statSync(path).mode & 0o777, path).toBe(0o700);
    expect(unwrap(open(join(home, 'data'))).path).toBe(folder.path);
  });

  it('makes the default with its parents, a named one only below a folder that is there', () => {
    const deep = join(home, 'a/b/data');
    const refused = open(deep);
    expect(refusalOf(refused)).toBe('bad_request');
    expect(refused.ok || refused.refusal.text).toContain('does not exist');
    expect(existsSync(join(home, 'a'))).toBe(false);
    expect(unwrap(openDataFolder({ path: deep, rule: 'default', said: 'the default' }, { make: true })).path).toBe(
      deep,
    );
  });

  it('makes nothing when it only looks', () => {
    expect(refusalOf(open(join(home, 'data'), false))).toBe('not_found');
    expect(existsSync(join(home, 'data'))).toBe(false);
    mkdirSync(join(home, 'data'));
    unwrap(open(join(home, 'data'), false));
    expect(existsSync(join(home, 'data/store'))).toBe(false);
  });

  it('refuses a file, a path through a file, and a folder whose inbox is a file', () => {
    writeFileSync(join(home, 'file'), '');
    const file = open(join(home, 'file'));
    expect(file.ok || file.refusal.text).toContain('a file and not a folder');
    expect(refusalOf(open(join(home, 'file/data')))).toBe('bad_request');
    mkdirSync(join(home, 'data'));
    writeFileSync(join(home, 'data/inbox'), 'mine');
    const inbox = open(join(home, 'data'));
    expect(inbox.ok || inbox.refusal.text).toContain('the inbox folder');
  });

  it('follows a link that a person made, and refuses one that leads nowhere', () => {
    mkdirSync(join(home, 'real'));
    symlinkSync(join(home, 'real'), join(home, 'link'));
    unwrap(open(join(home, 'link')));
    expect(existsSync(join(home, 'real/inbox'))).toBe(true);
    symlinkSync(join(home, 'nowhere'), join(home, 'dangling'));
    expect(refusalOf(open(join(home, 'dangling')))).toBe('bad_request');
  });
});
