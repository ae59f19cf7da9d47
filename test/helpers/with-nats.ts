import { it } from 'vitest';
import { natsServer } from '../../electron/dev/nats-server.mjs';
import { type NatsWorld, natsWorld } from './nats-server.js';

declare module 'vitest' {
  interface TaskMeta {
    /** Why a test did not run; the closing line says it. */
    skipped?: string;
  }
}

type ServerKind = Parameters<typeof natsServer>[0];

/** A test against real servers; where the program cannot be had it is skipped, and the closing line says why. */
export function withNats(kind: ServerKind, name: string, body: (world: NatsWorld) => Promise<void>, ms?: number): void {
  it(
    name,
    async (context) => {
      const found = natsServer(kind);
      if ('missing' in found) {
        context.task.meta.skipped = found.missing;
        context.skip(found.missing);
        return;
      }
      const world = natsWorld(found.program);
      try {
        await body(world);
      } finally {
        await world.end();
      }
    },
    ms,
  );
}
