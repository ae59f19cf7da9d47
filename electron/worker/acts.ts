import type { ApproveChannel, ApproveEvent, EventChannel, InvokeChannel } from '../../shared/channels.js';
import type { Outcome } from '../../shared/refusal.js';
import type { Attention } from '../../shared/settings.js';
import type { Reply } from '../answering.js';
import type { WindowSystem } from '../shell/holdpoint.js';
import type { News } from '../shell/notice.js';

export interface StartOptions {
  /** The main process's own arguments. */
  argv: readonly string[];
  /** The owner record of a worker of this same process that ended: its successor takes its place. */
  instead: string | null;
}

/** What the main process asks of the worker. */
export type WorkerActs = {
  start(options: StartOptions): Promise<Outcome<null>>;
  answer(channel: InvokeChannel | ApproveChannel, raw: readonly unknown[]): Promise<Reply>;
  openFiles(paths: readonly string[]): void;
  attention(): Promise<Attention>;
  news(): Promise<News>;
  woke(): void;
  close(): Promise<void>;
};

/** What the worker asks of the main process. */
export type MainActs = {
  broadcast(channel: EventChannel | ApproveEvent): void;
  log(text: string): void;
  /** The worker has made this owner record. */
  owns(id: string): void;
  /** A tool server was started, or has ended. */
  child(pid: number, lives: boolean): void;
  about: WindowSystem['about'];
  chooseFiles: WindowSystem['chooseFiles'];
  /** The worker wants to be ended and started again: the data folder is another one now. */
  relaunch(): void;
  choosePlace: WindowSystem['choosePlace'];
  scale: WindowSystem['scale'];
  takeWanted: WindowSystem['takeWanted'];
  attentionProblems: WindowSystem['attentionProblems'];
  openSettings: WindowSystem['settings']['openSettings'];
  storeSettings: WindowSystem['settings']['storeSettings'];
  openLink: WindowSystem['openLink'];
  ask: WindowSystem['ask'];
  isEncryptionAvailable: WindowSystem['keys']['isEncryptionAvailable'];
  encryptString: WindowSystem['keys']['encryptString'];
  decryptString: WindowSystem['keys']['decryptString'];
  backend: WindowSystem['keys']['backend'];
};
