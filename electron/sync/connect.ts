import type { SyncIo } from './io.js';
import { readEpoch } from './keep.js';

export type Connected =
  | { kind: 'ready'; epoch: number }
  /** The engine is not the one that was read before: nothing is sent or claimed until a person confirms. */
  | { kind: 'halted'; text: string };

/** The first thing asked of an engine. The cursor is what tells; it stays as it is while halted. Throws `EngineAway`. */
export async function connect(io: SyncIo): Promise<Connected> {
  const life = await io.engine.life();
  const epoch = await readEpoch(io);
  const plan = io.plans.planConnect(await io.files.cursor(), life, epoch);
  if (typeof plan === 'object') return { kind: 'halted', text: plan.reset };
  if (plan === 'begin') await io.files.saveCursor({ epoch, created: life.created, revision: 0 });
  return { kind: 'ready', epoch };
}

/**
 * A person confirms that the engine is another one now: everything is read from its beginning, decisions whose fate is
 * open are sent again under their own ids, and remembered revisions count for nothing. Throws `EngineAway`.
 */
export async function confirmReset(io: SyncIo): Promise<void> {
  const life = await io.engine.life();
  const epoch = await readEpoch(io);
  await io.files.forgetRevisions();
  await io.files.saveCursor({ epoch, created: life.created, revision: 0 });
}
