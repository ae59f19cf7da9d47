import type { EventChannel } from '../../shared/channels.js';
import type { Handlers } from '../ipc.js';

/** What the lifecycle gives to the application behind it. */
export interface Shell {
  /** Tells every window that something changed. */
  broadcast(channel: EventChannel): void;
  log(text: string): void;
}

/** What the application behind it gives to the lifecycle. */
export interface Holdpoint {
  handlers: Handlers;
  /** Files named on the command line, dropped on the icon, or handed over by a second start. Absolute paths. */
  openFiles(paths: readonly string[]): void;
  /** The machine woke up: overdue timers are looked at once. */
  woke(): void;
  /** Ends timers, watchers and child processes. Nothing that was acknowledged depends on it. */
  close(): Promise<void>;
}
