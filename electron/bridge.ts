import { contextBridge, ipcRenderer } from 'electron';
import type { ApproveBridge } from '../shared/approve.js';
import type { HoldpointBridge } from '../shared/ipc.js';

interface Bridges {
  holdpoint: HoldpointBridge;
  holdpointApprove: ApproveBridge;
}

/**
 * Gives a page two functions that reach the named channels and no others. The page and the approve control get one each,
 * of different names and channels; main looks at the sender all the same.
 */
export function exposeBridge<N extends keyof Bridges>(
  name: N,
  invokable: readonly Parameters<Bridges[N]['invoke']>[0][],
  events: readonly Parameters<Bridges[N]['on']>[0][],
): void {
  const known = (names: readonly string[], channel: string): boolean => names.includes(channel);
  contextBridge.exposeInMainWorld(name, {
    invoke: (channel: string, ...args: unknown[]) =>
      known(invokable, channel)
        ? ipcRenderer.invoke(channel, ...args)
        : Promise.reject(new Error(`no such request: ${channel}`)),
    on: (channel: string, listener: () => void) => {
      if (!known(events, channel)) throw new Error(`no such event: ${channel}`);
      const forward = () => listener();
      ipcRenderer.on(channel, forward);
      return () => {
        ipcRenderer.off(channel, forward);
      };
    },
  });
}
