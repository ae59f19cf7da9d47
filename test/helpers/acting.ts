import { Runner } from '../../electron/checkpoints/runner.js';
import { deciding } from '../../electron/handlers/deciding.js';
import { resuming } from '../../electron/handlers/resuming.js';
import type { EventChannel } from '../../shared/channels.js';
import type { SuspensionKey } from '../../shared/decision.js';
import type { World } from './world.js';

/** The handlers of the window over a world: what they ask of the runner's timers and tell the page is kept. */
export function acting(world: World) {
  const told: EventChannel[] = [];
  /** Acts that the runner waits with, by its own timers; none is ever due by itself. */
  const due = new Map<number, () => void>();
  let count = 0;
  const { ports, store } = world;
  const runner = new Runner(
    store,
    ports,
    { set: (_after, act) => due.set(++count, act) && count, clear: (timer) => due.delete(Number(timer)) },
    () => undefined,
  );
  const context = {
    store,
    ports,
    runner,
    settings: { get: () => world.settings },
    shell: { broadcast: (channel: EventChannel) => void told.push(channel) },
  };
  return { ...deciding(context), ...resuming(context), runner, told, due };
}

export const itemOf = (key: SuspensionKey): string => `s:${key.system}:${key.source}:${key.seq}:${key.runId}`;
