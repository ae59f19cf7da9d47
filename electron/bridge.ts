import { contextBridge, ipcRenderer } from 'electron';
import type { EventChannel, InvokeChannel } from '../shared/channels.js';
import type { HoldpointBridge } from '../shared/ipc.js';

/**
 * Gives a page two functions that reach the named channels and no others. The decide channels can move to a bridge of
 * their own in a frame of another origin by naming them there instead of here.
 */
export function exposeBridge(name: string, invokable: readonly InvokeChannel[], events: readonly EventChannel[]): void {
  const bridge: HoldpointBridge = {
    invoke: (channel, ...args) =>
      invokable.includes(channel)
        ? ipcRenderer.invoke(channel, ...args)
        : Promise.reject(new Error(`no such request: ${channel}`)),
    on: (channel, listener) => {
      if (!events.includes(channel)) throw new Error(`no such event: ${channel}`);
      const forward = () => listener();
      ipcRenderer.on(channel, forward);
      return () => {
        ipcRenderer.off(channel, forward);
      };
    },
  };
  contextBridge.exposeInMainWorld(name, bridge);
}
