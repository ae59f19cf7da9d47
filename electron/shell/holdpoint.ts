import type { ApproveEvent, EventChannel } from '../../shared/channels.js';
import type { Outcome } from '../../shared/refusal.js';
import type { Attention, Settings } from '../../shared/settings.js';
import type { Answer } from '../answering.js';
import type { News } from './notice.js';

/** The system's key store, as the window system offers it. */
export interface KeyStore {
  isEncryptionAvailable(): Promise<boolean>;
  encryptString(text: string): Promise<Uint8Array>;
  decryptString(bytes: Uint8Array): Promise<string>;
  /** Name of what stands behind it; `basic_text` means that the key lies beside the lock. */
  backend(): Promise<string>;
}

/** A question that the page can neither draw nor answer; its safe answer comes first. */
export interface Question {
  message: string;
  detail: string;
  yes: string;
  no: string;
}

/** What only the main process can do: everything that needs Electron is asked for here. */
export interface WindowSystem {
  about(): Promise<{ version: string; electron: string; packaged: boolean; platform: string }>;
  /** Absolute paths; none when the person cancelled. */
  chooseFiles(title: string, what: 'one' | 'several' | 'folder'): Promise<string[]>;
  /** An absolute path, or null when the person cancelled. */
  choosePlace(title: string, name: string): Promise<string | null>;
  /** Opens a web address outside, after a confirmation; false when it must not be opened, or the person declined. */
  openLink(address: string): Promise<boolean>;
  /** Asks the person natively; false when they declined. */
  ask(question: Question): Promise<boolean>;
  /** Device pixels to a CSS pixel in the window, by its screen and its zoom; null without a window. */
  scale(): Promise<number | null>;
  keys: KeyStore;
  settings: {
    /** Those of this data folder, and what was wrong with the file found there. */
    openSettings(dataFolder: string): Promise<{ settings: Settings; setAside: string | null }>;
    /**
     * Into the folder opened last; resolves with what was stored. What would weaken safety is asked for first, natively;
     * refused with `not_allowed` when the person declined, and nothing has changed.
     */
    storeSettings(next: Settings): Promise<Outcome<Settings>>;
  };
  /** The item that somebody outside the window asked to show, once. */
  takeWanted(): Promise<string | null>;
  /** What of the attention settings is not in force, in words. */
  attentionProblems(): Promise<string[]>;
}

/** What the lifecycle gives to the application behind it. */
export interface Shell {
  /** Tells every window that something changed. */
  broadcast(channel: EventChannel | ApproveEvent): void;
  log(text: string): void;
  system: WindowSystem;
}

/** What the application behind it gives to the lifecycle. */
export interface Holdpoint {
  answer: Answer;
  /** Files named on the command line, dropped on the icon, or handed over by a second start. Absolute paths. */
  openFiles(paths: readonly string[]): void;
  /** The settings, as they are now, that the desktop's side of the application follows. */
  attention(): Promise<Attention>;
  /** What needs a person now, by the one predicate of the list, and what of it is new since this was asked last. */
  news(): Promise<News>;
  /** The machine woke up: overdue timers are looked at once. */
  woke(): void;
  /** Ends timers, watchers and child processes. Nothing that was acknowledged depends on it. */
  close(): Promise<void>;
}
