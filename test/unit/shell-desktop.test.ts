import type { BrowserWindow } from 'electron';
import { beforeEach, describe, expect, it, vi } from 'vitest';

const showMessageBox = vi.fn();
const open = vi.fn();
vi.mock('electron', () => ({ dialog: { showMessageBox }, shell: { openExternal: open } }));
const { desktopOf } = await import('../../electron/shell/desktop.js');
const { openExternal } = await import('../../electron/shell/external-link.js');

const desktop = desktopOf({} as BrowserWindow);
beforeEach(() => vi.clearAllMocks());

describe('the question before an address is opened', () => {
  it('shows the whole address and has the safe answer first', async () => {
    showMessageBox.mockResolvedValue({ response: 1 });
    expect(await openExternal('https://example.com/a?b=c', desktop)).toBe(true);
    const [, options] = showMessageBox.mock.calls[0] ?? [];
    expect(options).toMatchObject({ detail: 'https://example.com/a?b=c', defaultId: 0, cancelId: 0 });
    expect(options.buttons[0]).toBe('Cancel');
    expect(open).toHaveBeenCalledExactlyOnceWith('https://example.com/a?b=c');
  });

  it('opens nothing on any other answer', async () => {
    showMessageBox.mockResolvedValue({ response: 0 });
    expect(await openExternal('https://example.com/', desktop)).toBe(false);
    expect(open).not.toHaveBeenCalled();
  });
});
