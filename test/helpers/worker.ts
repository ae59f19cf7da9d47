import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Holdpoint } from '../../electron/shell/holdpoint.js';
import { startWorker } from '../../electron/worker/host.js';
import type { ApproveEvent, EventChannel, InvokeChannel } from '../../shared/channels.js';
import type { Args, Result } from '../../shared/ipc.js';
import { accepted } from '../../shared/refusal.js';
import { Settings } from '../../shared/settings.js';
import { bundle } from './bundle.js';

export interface Room {
  folder: string;
  holdpoint: Holdpoint;
  ask<C extends InvokeChannel>(channel: C, ...args: Args<C>): Promise<Result<C>>;
  events: (EventChannel | ApproveEvent)[];
  logged: string[];
  gone: string[];
}

/** The built worker: made once for all tests of a file. */
export async function buildWorker(): Promise<{ file: string; remove(): void }> {
  const file = await bundle(join(import.meta.dirname, '../../electron/worker/entry.ts'));
  return { file, remove: () => rmSync(dirname(file), { recursive: true, force: true }) };
}

/** Starts Holdpoint in its thread on a data folder, as the main process does, with a window system that is not there. */
export async function startRoom(
  file: string,
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-worker-')),
): Promise<Room> {
  const events: (EventChannel | ApproveEvent)[] = [];
  const logged: string[] = [];
  const gone: string[] = [];
  let settings = Settings.parse({});
  const started = await startWorker({
    file,
    argv: ['electron', '.', `--data=${folder}`],
    gone: (text) => gone.push(text),
    shell: {
      broadcast: (channel) => events.push(channel),
      log: (text) => logged.push(text),
      system: {
        about: async () => ({ version: '1', electron: '', packaged: false, platform: process.platform }),
        chooseFiles: async () => [],
        choosePlace: async () => null,
        scale: async () => null,
        takeWanted: async () => null,
        attentionProblems: async () => [],
        settings: {
          openSettings: async () => ({ settings, setAside: null }),
          storeSettings: async (next) => {
            settings = next;
            return accepted(settings);
          },
        },
        openLink: async () => false,
        ask: async () => false,
        keys: {
          isEncryptionAvailable: async () => false,
          encryptString: async () => new Uint8Array(),
          decryptString: async () => '',
          backend: async () => 'none',
        },
      },
    },
  });
  if (!started.ok) throw new Error(started.refusal.text);
  const holdpoint = started.value;
  const ask = (channel: InvokeChannel, ...args: unknown[]) => holdpoint.answer(channel, args) as Promise<never>;
  return { folder, holdpoint, ask, events, logged, gone };
}
