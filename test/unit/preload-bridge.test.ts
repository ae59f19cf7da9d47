import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { HoldpointBridge } from '../../shared/ipc.js';

const exposed = new Map<string, HoldpointBridge>();
const ipcRenderer = {
  invoke: vi.fn((..._args: unknown[]) => Promise.resolve('answer')),
  on: vi.fn<(channel: string, listener: (...args: unknown[]) => void) => void>(),
  off: vi.fn<(channel: string, listener: (...args: unknown[]) => void) => void>(),
};
vi.mock('electron', () => ({
  ipcRenderer,
  contextBridge: { exposeInMainWorld: (name: string, bridge: HoldpointBridge) => exposed.set(name, bridge) },
}));
const { exposeBridge } = await import('../../electron/bridge.js');

beforeEach(() => vi.clearAllMocks());

function bridge(): HoldpointBridge {
  exposeBridge('holdpoint', ['run:open'], ['runs:changed']);
  const made = exposed.get('holdpoint');
  if (!made) throw new Error('nothing exposed');
  return made;
}

describe('exposeBridge', () => {
  it('passes on the named requests', async () => {
    expect(await bridge().invoke('run:open', 'a')).toBe('answer');
    expect(ipcRenderer.invoke).toHaveBeenCalledExactlyOnceWith('run:open', 'a');
  });

  it('rejects every other request, known elsewhere or not', async () => {
    await expect(bridge().invoke('settings:get')).rejects.toThrow('settings:get');
    await expect(bridge().invoke('__proto__' as 'run:open', 'a')).rejects.toThrow('__proto__');
    expect(ipcRenderer.invoke).not.toHaveBeenCalled();
  });

  it('gives the page no event object, and stops when told', () => {
    const listener = vi.fn();
    const stop = bridge().on('runs:changed', listener);
    const [channel, forward] = ipcRenderer.on.mock.calls[0] ?? [];
    forward?.({ sender: 'ipcRenderer' }, 'more');
    expect(listener).toHaveBeenCalledExactlyOnceWith();
    stop();
    expect(ipcRenderer.off).toHaveBeenCalledExactlyOnceWith(channel, forward);
  });

  it('refuses other events', () => {
    expect(() => bridge().on('gc:changed', () => undefined)).toThrow('gc:changed');
    expect(ipcRenderer.on).not.toHaveBeenCalled();
  });
});

describe('the preload script', () => {
  const load = async (href: string, isMainFrame: boolean): Promise<string[]> => {
    exposed.clear();
    vi.resetModules();
    vi.stubGlobal('location', { href });
    Object.defineProperty(process, 'isMainFrame', { value: isMainFrame, configurable: true });
    await import('../../electron/preload.js');
    return [...exposed.keys()];
  };

  it('gives the page its map, which knows no way to confirm', async () => {
    expect(await load('app://holdpoint/', true)).toEqual(['holdpoint']);
    const whole = exposed.get('holdpoint');
    expect(Object.keys(whole ?? {}).sort()).toEqual(['invoke', 'on']);
    await whole?.invoke('settings:get');
    expect(ipcRenderer.invoke).toHaveBeenCalledExactlyOnceWith('settings:get');
    await expect(whole?.invoke('approve:confirm' as 'settings:get')).rejects.toThrow('approve:confirm');
  });

  it('gives the approve control its own, and nothing of the page’s', async () => {
    expect(await load('app-approve://holdpoint/approve.html', false)).toEqual(['holdpointApprove']);
    await expect(exposed.get('holdpointApprove')?.invoke('settings:get')).rejects.toThrow('settings:get');
  });

  it.each(['app://holdpoint/', 'about:blank', 'app-approve://holdpoint/', 'app-approve://holdpoint.evil/approve.html'])(
    'gives a frame at %s nothing',
    async (href) => {
      expect(await load(href, false)).toEqual([]);
    },
  );
});
