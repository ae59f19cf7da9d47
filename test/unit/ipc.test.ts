import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type ApproveHandlers, answering, type Handlers } from '../../electron/answering.js';
import { APPROVE_CHANNELS, INVOKE_CHANNELS, type InvokeChannel } from '../../shared/channels.js';
import { accepted, refused } from '../../shared/refusal.js';

type Listener = (event: unknown, ...args: unknown[]) => unknown;
const listeners = new Map<string, Listener>();
const windows: unknown[] = [];
vi.mock('electron', () => ({
  ipcMain: { handle: (channel: string, listener: Listener) => listeners.set(channel, listener) },
  BrowserWindow: { getAllWindows: () => windows },
}));
const { broadcast, registerApprove, registerIpc } = await import('../../electron/ipc.js');

const INFO = { version: '1', electron: '33', packaged: false, platform: 'linux' };
const page = { url: 'app://holdpoint/', origin: 'app://holdpoint', parent: null, detached: false };
const log = vi.fn<(text: string) => void>();
const isTrusted = vi.fn((sender: { url: string; top: boolean }) => sender.top && sender.url === page.url);

/** Registers handlers that answer `app:info`, with others put in their place. */
function register(handlers: Partial<Handlers> = {}): void {
  const all = Object.fromEntries(INVOKE_CHANNELS.map((channel) => [channel, () => refused('fault', 'unused')]));
  const whole = { ...all, 'app:info': () => accepted(INFO), ...handlers } as unknown as Handlers & ApproveHandlers;
  registerIpc(answering(whole, log), isTrusted, log);
}

/** `main` is the frame that the window has now. */
async function askIn(main: unknown, channel: InvokeChannel, frame: unknown, ...args: unknown[]): Promise<unknown> {
  return listeners.get(channel)?.({ senderFrame: frame, sender: { mainFrame: main } }, ...args);
}
const ask = (channel: InvokeChannel, frame: unknown, ...args: unknown[]): Promise<unknown> =>
  askIn(page, channel, frame, ...args);

beforeEach(() => {
  listeners.clear();
  windows.length = 0;
  log.mockClear();
  isTrusted.mockClear();
});

describe('registerIpc', () => {
  it('answers every channel', () => {
    register();
    expect([...listeners.keys()].sort()).toEqual([...INVOKE_CHANNELS].sort());
  });

  it('gives what the handler returns', async () => {
    register();
    expect(await ask('app:info', page)).toEqual({ ok: true, value: INFO });
  });

  it('gives a refusal as it is', async () => {
    register({ 'run:open': () => refused('not_found', 'no such run', { id: 'x' }) });
    expect(await ask('run:open', page, 'x')).toEqual({
      ok: false,
      refusal: { code: 'not_found', text: 'no such run', facts: { id: 'x' } },
    });
  });

  it.each<[string, unknown]>([
    ['no frame', null],
    ['a detached frame', { ...page, detached: true }],
    ['a frame inside the page', { ...page, parent: {} }],
    ['another origin', { ...page, url: 'app://holdpoint.evil/' }],
    [
      'a frame that is gone',
      {
        get url(): string {
          throw new Error('Render frame was disposed');
        },
      },
    ],
  ])('rejects %s before anything else, and says nothing', async (_name, frame) => {
    const handler = vi.fn(() => accepted(INFO));
    register({ 'app:info': handler });
    await expect(async () => ask('app:info', frame, 'bad argument')).rejects.toThrow(/^not allowed$/);
    expect(handler).not.toHaveBeenCalled();
    expect(log).toHaveBeenCalledOnce();
  });

  it('answers the live main frame after a crash and reload, though Electron calls it detached', async () => {
    register();
    const reloaded = { ...page, detached: true };
    expect(await askIn(reloaded, 'app:info', reloaded)).toEqual({ ok: true, value: INFO });
  });

  it('looks at the sender before the first await', () => {
    register();
    const frame = { ...page };
    void ask('app:info', frame);
    frame.url = 'https://example.invalid/';
    expect(isTrusted).toHaveBeenCalledWith({ url: page.url, origin: page.origin, top: true, within: null }, 'app:info');
  });

  it('refuses bad arguments, naming the channel and the place', async () => {
    const handler = vi.fn(() => accepted(null));
    register({ 'resume:reconcile': handler });
    expect(await ask('resume:reconcile', page, 'item', 0, { how: 'it_ran', result: 3 })).toMatchObject({
      ok: false,
      refusal: {
        code: 'bad_request',
        text: expect.stringMatching(/^resume:reconcile .*argument \[2\]\.result: /),
        facts: { channel: 'resume:reconcile' },
      },
    });
    expect(handler).not.toHaveBeenCalled();
  });

  it.each([[[]], [['a', 'b']], [['']], [[{ id: 'a' }]]])('refuses %j for one id', async (args) => {
    register();
    expect(await ask('run:open', page, ...args)).toMatchObject({ ok: false, refusal: { code: 'bad_request' } });
  });

  it('hands the handler parsed arguments, defaults filled in', async () => {
    const handler = vi.fn((settings) => accepted(settings));
    register({ 'settings:set': handler });
    await ask('settings:set', page, {});
    expect(handler).toHaveBeenCalledWith(expect.objectContaining({ undoSeconds: 5, theme: 'system' }));
  });

  it.each<[string, () => never | Promise<never>]>([
    [
      'throws',
      () => {
        throw new Error('disk on fire');
      },
    ],
    ['rejects', () => Promise.reject(new Error('disk on fire'))],
  ])('turns what a handler %s into a fault, and logs the message only', async (_name, handler) => {
    register({ 'app:info': handler });
    expect(await ask('app:info', page)).toEqual({
      ok: false,
      refusal: { code: 'fault', text: expect.stringContaining('disk on fire'), facts: { channel: 'app:info' } },
    });
    expect(log.mock.calls).toEqual([['app:info failed: disk on fire']]);
  });

  it('does not pass on a result that is not as agreed', async () => {
    register({ 'app:info': () => accepted({ ...INFO, secret: 'key' }) });
    const answer = await ask('app:info', page);
    expect(answer).toMatchObject({ ok: false, refusal: { code: 'fault' } });
    expect(JSON.stringify(answer)).not.toContain('key"');
  });
});

describe('registerApprove', () => {
  const control = { url: 'app-approve://holdpoint/approve.html', origin: 'app-approve://holdpoint', detached: false };
  const state = { theme: 'system', singleKeys: true, keys: {}, offered: null };

  it('answers its own channels, and says in which page the frame stands', async () => {
    const trusted = vi.fn(() => true);
    const handlers = Object.fromEntries(APPROVE_CHANNELS.map((channel) => [channel, () => accepted(state)]));
    registerApprove(answering(handlers as unknown as Handlers & ApproveHandlers, log), trusted, log);
    expect([...listeners.keys()].sort()).toEqual([...APPROVE_CHANNELS].sort());
    const asked = (frame: object) =>
      listeners.get('approve:view')?.({ senderFrame: frame, sender: { mainFrame: page } }) as Promise<unknown>;
    expect(await asked({ ...control, parent: page })).toEqual({ ok: true, value: state });
    expect(trusted).toHaveBeenLastCalledWith({ ...without(control), top: false, within: page.url }, 'approve:view');
    // A frame in a frame stands in no page.
    await asked({ ...control, parent: { url: page.url, parent: page } });
    expect(trusted).toHaveBeenLastCalledWith({ ...without(control), top: false, within: null }, 'approve:view');
  });

  const without = ({ url, origin }: { url: string; origin: string }) => ({ url, origin });
});

describe('broadcast', () => {
  const contents = (state: 'alive' | 'destroyed' | 'crashed') => ({
    isDestroyed: () => state === 'destroyed',
    isCrashed: () => state === 'crashed',
    send: vi.fn(() => {
      if (state !== 'alive') throw new Error('Object has been destroyed');
    }),
    mainFrame: { frames: [] as unknown[] },
  });

  it('tells the approve control what may have changed what it shows, and other frames nothing', () => {
    const alive = contents('alive');
    const control = { url: 'app-approve://holdpoint/approve.html', detached: false, send: vi.fn() };
    const stranger = { url: 'about:blank', detached: false, send: vi.fn() };
    const gone = {
      get url(): never {
        throw new Error('Render frame was disposed');
      },
    };
    alive.mainFrame.frames = [gone, stranger, control];
    windows.push({ isDestroyed: () => false, webContents: alive });
    for (const channel of ['runs:changed', 'settings:changed', 'gc:changed', 'approve:changed'] as const)
      broadcast(channel);
    expect(control.send.mock.calls).toEqual([['approve:changed'], ['approve:changed'], ['approve:changed']]);
    expect(stranger.send).not.toHaveBeenCalled();
    // The page has no business with it.
    expect(alive.send.mock.calls).toEqual([['runs:changed'], ['settings:changed'], ['gc:changed']]);
  });

  it('reaches every window that lives, past those that close or crashed', () => {
    const alive = contents('alive');
    const closed = {
      isDestroyed: () => true,
      get webContents(): never {
        throw new Error('Object has been destroyed');
      },
    };
    const others = [contents('destroyed'), contents('crashed'), alive];
    windows.push(closed, ...others.map((webContents) => ({ isDestroyed: () => false, webContents })));
    broadcast('runs:changed');
    expect(alive.send).toHaveBeenCalledExactlyOnceWith('runs:changed');
  });
});
