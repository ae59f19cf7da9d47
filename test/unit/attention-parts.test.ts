import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

vi.mock('electron', () => ({ app: {}, Menu: {}, nativeImage: {}, Tray: class {} }));
const { autostartFile, setAutostart } = await import('../../electron/shell/login-item.js');
const { ICON_SIDE, trayPixels } = await import('../../electron/shell/tray-icon.js');
const { trayMenu, trayTip } = await import('../../electron/shell/tray.js');

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-login-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the start at login on Linux', () => {
  it('is one desktop entry whose words stand for themselves', () => {
    const file = join(folder, 'autostart', 'holdpoint.desktop');
    setAutostart(file, ['/opt/50% "new" $HOME\\x/holdpoint', '--hidden']);
    const exec = readFileSync(file, 'utf8')
      .split('\n')
      .find((line) => line.startsWith('Exec='));
    expect(exec).toBe('Exec="/opt/50%% \\\\"new\\\\" \\\\$HOME\\\\\\\\x/holdpoint" "--hidden"');
  });

  it('goes away again, also when it was never there', () => {
    const file = join(folder, 'autostart', 'holdpoint.desktop');
    setAutostart(file, null);
    setAutostart(file, ['/usr/bin/holdpoint']);
    setAutostart(file, null);
    expect(() => readFileSync(file)).toThrow(/ENOENT/);
  });

  it('lies where the desktop looks', () => {
    expect(autostartFile({ XDG_CONFIG_HOME: '/x' })).toBe('/x/autostart/holdpoint.desktop');
    expect(autostartFile({ XDG_CONFIG_HOME: '' })).toMatch(/\/\.config\/autostart\/holdpoint\.desktop$/);
  });
});

describe('the tray', () => {
  const plan = { open: vi.fn(), quit: vi.fn(), doNotDisturb: vi.fn(), isDisturbed: () => false };

  it('counts, opens, quiets and quits; nothing in it decides', () => {
    expect([trayTip(0), trayTip(1), trayTip(7)]).toEqual([
      'Holdpoint: nothing waits for you',
      'Holdpoint: 1 waits for you',
      'Holdpoint: 7 wait for you',
    ]);
    const labels = (disturbed: boolean) =>
      trayMenu(2, { ...plan, isDisturbed: () => disturbed }).flatMap(({ label }) => label ?? []);
    expect(labels(false)).toEqual([trayTip(2), 'Open Holdpoint', 'Do not disturb for an hour', 'Quit']);
    expect(labels(true)).toContain('Notify me again');
  });

  it('its icon has a dot in its corner exactly while something waits', () => {
    const corner = (waiting: boolean) => {
      const at = (3 * ICON_SIDE + (ICON_SIDE - 7)) * 4;
      return [...trayPixels(waiting).subarray(at, at + 4)];
    };
    expect(corner(true)).not.toEqual(corner(false));
    expect(trayPixels(true)).toHaveLength(ICON_SIDE * ICON_SIDE * 4);
    expect([...trayPixels(false).subarray(0, 4)]).toEqual([0, 0, 0, 0]);
  });
});
