import type { MenuItemConstructorOptions } from 'electron';
import { expect, it, vi } from 'vitest';

vi.mock('electron', () => ({}));
const { menuTemplate } = await import('../../electron/shell/menu.js');

const items = (plan: Partial<Parameters<typeof menuTemplate>[0]>): MenuItemConstructorOptions[] =>
  menuTemplate({
    mac: false,
    packaged: true,
    open: () => undefined,
    backUp: () => undefined,
    bringIn: () => undefined,
    ...plan,
  }).flatMap((menu) => (Array.isArray(menu.submenu) ? menu.submenu : [menu]));
const roles = (plan: Parameters<typeof items>[0]) => items(plan).flatMap(({ role }) => (role ? [role] : []));

it('never offers a reload, and development tools only without a package', () => {
  for (const packaged of [true, false]) expect(roles({ packaged })).not.toEqual(expect.arrayContaining(['reload']));
  expect(roles({ packaged: true })).not.toContain('toggleDevTools');
  expect(roles({ packaged: false })).toContain('toggleDevTools');
});

it('opens records', () => {
  const open = vi.fn();
  const item = items({ open }).find(({ label }) => label === 'Open…');
  expect(item?.accelerator).toBe('CmdOrCtrl+O');
  item?.click?.call(undefined as never, undefined as never, undefined, undefined as never);
  expect(open).toHaveBeenCalledOnce();
});

it.each([
  ['Back up…', 'backUp'],
  ['Bring in a backup…', 'bringIn'],
] as const)('has %s', (label, act) => {
  const chosen = vi.fn();
  items({ [act]: chosen })
    .find((item) => item.label === label)
    ?.click?.call(undefined as never, undefined as never, undefined, undefined as never);
  expect(chosen).toHaveBeenCalledOnce();
});

it.each([true, false])('has editing and zoom (mac: %s)', (mac) => {
  expect(roles({ mac })).toEqual(
    expect.arrayContaining(['copy', 'paste', 'selectAll', 'zoomIn', 'zoomOut', 'resetZoom']),
  );
});
