import type { Session, WebContents } from 'electron';
import { describe, expect, it, vi } from 'vitest';
import { guardContents, guardSession } from '../../electron/shell/guards.js';

type Listener = (event: { preventDefault(): void; url?: string; isMainFrame?: boolean }) => void;

/** Remembers listeners and answers whether a guarded event was prevented. */
function fakeContents() {
  const listeners = new Map<string, Listener>();
  let open: (() => { action: string }) | undefined;
  const contents = {
    on: (name: string, listener: Listener) => listeners.set(name, listener),
    setWindowOpenHandler: (handler: () => { action: string }) => {
      open = handler;
    },
  } as unknown as WebContents;
  const prevented = (name: string, url?: string, isMainFrame = true): boolean => {
    const preventDefault = vi.fn();
    listeners.get(name)?.({ preventDefault, isMainFrame, ...(url === undefined ? {} : { url }) });
    return preventDefault.mock.calls.length > 0;
  };
  return { contents, prevented, opened: () => open?.().action };
}

describe('guardContents', () => {
  const guarded = fakeContents();
  guardContents(guarded.contents, 'app://holdpoint/');

  describe.each(['will-navigate', 'will-frame-navigate', 'will-redirect'])('%s', (event) => {
    it('lets the page load itself', () => {
      expect(guarded.prevented(event, 'app://holdpoint/')).toBe(false);
    });

    it.each(['https://example.invalid/', 'app://holdpoint.evil/', 'app://holdpoint/other', 'javascript:0', ''])(
      'keeps it from %j',
      (url) => {
        expect(guarded.prevented(event, url)).toBe(true);
      },
    );

    it('lets a frame inside the page be the approve control', () => {
      expect(guarded.prevented(event, 'app-approve://holdpoint/approve.html', false)).toBe(false);
    });

    it.each([
      'app://holdpoint/',
      'app-approve://holdpoint/',
      'app-approve://holdpoint/assets/approve.js',
      'app-approve://holdpoint/approve.html?x',
      'https://example.invalid/',
      'about:srcdoc',
    ])('keeps it from %j', (url) => {
      expect(guarded.prevented(event, url, false)).toBe(true);
    });

    it('keeps the page itself from the approve control’s address', () => {
      expect(guarded.prevented(event, 'app-approve://holdpoint/approve.html')).toBe(true);
    });
  });

  it('attaches no embedded view and opens no window', () => {
    expect(guarded.prevented('will-attach-webview')).toBe(true);
    expect(guarded.opened()).toBe('deny');
  });
});

describe('guardSession', () => {
  it('denies every permission, asked for or looked up, every device and every download', () => {
    const handlers: Record<string, (...args: unknown[]) => unknown> = {};
    const keep = (name: string) => (handler: (...args: unknown[]) => unknown) => {
      handlers[name] = handler;
    };
    guardSession({
      setPermissionRequestHandler: keep('request'),
      setPermissionCheckHandler: keep('check'),
      setDevicePermissionHandler: keep('device'),
      on: (name: string, handler: (...args: unknown[]) => unknown) => keep(name)(handler),
    } as unknown as Session);
    const answer = vi.fn();
    handlers['request']?.({}, 'media', answer);
    expect(answer).toHaveBeenCalledExactlyOnceWith(false);
    expect(handlers['check']?.({}, 'clipboard-read')).toBe(false);
    expect(handlers['device']?.({})).toBe(false);
    const preventDefault = vi.fn();
    handlers['will-download']?.({ preventDefault });
    expect(preventDefault).toHaveBeenCalledOnce();
  });
});
