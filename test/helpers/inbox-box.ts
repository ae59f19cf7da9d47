import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type InboxDisk, nodeInboxDisk } from '../../electron/inbox/disk.js';
import type { InboxEvent } from '../../electron/inbox/event.js';
import { Inbox } from '../../electron/inbox/inbox.js';
import { inboxIntake } from '../../electron/inbox.js';
import type { KvStore } from '../../electron/store/contract.js';
import { MemoryStore } from '../../electron/store/memory-store.js';
import { World } from './world.js';

const SETTLE = 300;
const PATIENCE = 3000;
const RETRY = 5000;

/** An inbox in a folder of its own, looked at step by step under a clock that stands still between them. */
export class Box {
  /** What lies around the data folder: nothing may ever change there. */
  readonly parent = mkdtempSync(join(tmpdir(), 'holdpoint-inbox-'));
  readonly data = join(this.parent, 'data');
  readonly world: World;
  readonly events: InboxEvent[] = [];
  readonly inbox: Inbox;
  now = 0;

  constructor({
    store = new MemoryStore(),
    disk = {},
    settings = {},
  }: { store?: KvStore; disk?: Partial<InboxDisk>; settings?: Record<string, unknown> } = {}) {
    mkdirSync(this.data);
    this.world = new World(settings, store);
    const { clock } = this.world.ports;
    this.inbox = new Inbox(this.data, {
      takeIn: inboxIntake(store, clock, () => this.world.settings),
      onArrival: (event) => this.events.push(event),
      disk: { ...nodeInboxDisk, ...disk },
      now: () => this.now,
      settleMs: SETTLE,
      patienceMs: PATIENCE,
      retryMs: RETRY,
    });
  }

  path(name: string): string {
    return join(this.data, 'inbox', name);
  }

  /** Writes a file as a slow writer does: at its final name, all at once. */
  write(name: string, content: Uint8Array | string): string {
    mkdirSync(dirname(this.path(name)), { recursive: true });
    writeFileSync(this.path(name), content);
    return this.path(name);
  }

  /** Publishes a file as docs/AGENTS.md says: written aside, then renamed. */
  publish(name: string, content: Uint8Array | string): string {
    const path = this.write(`${name}.tmp`, content);
    renameSync(path, this.path(name));
    return this.path(name);
  }

  /** Looks twice, with what a settled file needs in between; `ms` longer after that, and once more. */
  async settle(ms = 0): Promise<void> {
    await this.inbox.look();
    this.now += SETTLE;
    await this.inbox.look();
    if (ms === 0) return;
    this.now += ms;
    await this.inbox.look();
  }

  /** Names in the inbox, or in a folder of it. */
  left(folder = '.'): string[] {
    return existsSync(this.path(folder)) ? readdirSync(this.path(folder)).sort() : [];
  }

  kinds(): string[] {
    return this.events.map((event) => event.kind);
  }

  remove(): void {
    rmSync(this.parent, { recursive: true, force: true });
  }
}
