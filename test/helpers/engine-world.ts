import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engine } from '../../electron/engine/contract.js';
import { makeEngine } from '../../electron/engine/make-engine.js';
import { thisProcess } from '../../electron/identity.js';
import type { KvStore } from '../../electron/store/contract.js';
import { MemoryStore } from '../../electron/store/memory-store.js';
import { World } from './world.js';

/** A world with a data folder and the agent's engine over its store; a person decides through the world. */
export class EngineWorld extends World {
  readonly data = mkdtempSync(join(tmpdir(), 'holdpoint-engine-'));
  warning: string | null = null;
  readonly engine: Engine;

  constructor(settings: Record<string, unknown> = {}, store: KvStore = new MemoryStore()) {
    super(settings, store);
    for (const name of ['store', 'inbox', 'refused']) mkdirSync(join(this.data, name), { mode: 0o700 });
    this.engine = makeEngine({
      folder: {
        path: this.data,
        rule: 'option',
        said: '--data',
        store: join(this.data, 'store'),
        inbox: join(this.data, 'inbox'),
        refused: join(this.data, 'refused'),
        settings: join(this.data, 'settings.json'),
      },
      store: this.store,
      settings: () => ({ settings: this.settings, warning: this.warning }),
      // Waiting goes by the real monotonic clock; the wall clock is the test's.
      clock: { now: () => this.now, monotonic: () => performance.now() },
      ids: this.ports.ids,
      me: thisProcess('test agent'),
      known: () => this.known,
    });
  }

  remove(): void {
    rmSync(this.data, { recursive: true, force: true });
  }
}
