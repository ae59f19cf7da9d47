import type { ModelClient } from '../agent/model-client.js';
import type { Secrets } from '../agent/secrets.js';
import type { ToolServers } from '../agent/tool-servers.js';
import type { GcTimer } from '../checkpoints/gc-timer.js';
import type { RuleWatch } from '../checkpoints/rules/watch.js';
import type { Runner } from '../checkpoints/runner.js';
import type { FolderRule } from '../data-folder.js';
import type { SettingsStore } from '../kept-settings.js';
import type { ListedTool, Ports } from '../ports.js';
import type { Queue } from '../queue/queue.js';
import type { Shell } from '../shell/holdpoint.js';
import type { OwnKey } from '../signing/own-key.js';
import type { KvStore } from '../store/contract.js';
import type { FileStore } from '../store/opened-store.js';

/** What the handlers of the window share. */
export interface Context {
  dataFolder: string;
  /** Which rule named it: what a person named cannot be switched. */
  folderRule: FolderRule;
  /** Ends the thread that works and starts it anew on the data folder as it is found then. */
  relaunch(): void;
  store: FileStore;
  /** Starts what only a writable store may run: recovery, the runner, the GC timer. */
  begin(): Promise<void>;
  ports: Ports;
  runner: Runner;
  gc: GcTimer;
  settings: SettingsStore;
  secrets: Secrets;
  ownKey: OwnKey;
  tools: ToolServers;
  models: ModelClient;
  shell: Shell;
  /** Rules that answer in a person's stead. */
  rules: Pick<RuleWatch, 'lookAgain' | 'lookBackFor'>;
  /** The list of the window. */
  queue: Queue;
  /** Runs an act of which the window is to see the whole and no part. */
  together<T>(act: () => Promise<T>): Promise<T>;
  /** Tools as they were last listed, by server: what the card shows of claims. */
  listed: Map<string, readonly ListedTool[]>;
}

/** What the handlers need that decide and go on: no page, no file, no Electron. */
export interface Acting {
  store: KvStore;
  ports: Ports;
  runner: Pick<Runner, 'continueNow' | 'decided' | 'forget' | 'noteInterrupted' | 'stop'>;
  settings: Pick<SettingsStore, 'get'>;
  shell: Pick<Shell, 'broadcast'> & { system: Pick<Shell['system'], 'ask'> };
}

/** The tools that a source's servers were last seen to offer. */
export function listedFor(context: Pick<Context, 'listed'> & Pick<Acting, 'settings'>, source: string): ListedTool[] {
  const servers = context.settings.get().sources.find((s) => s.name === source)?.profile?.servers ?? [];
  return servers.flatMap((server) => [...(context.listed.get(server) ?? [])]);
}
