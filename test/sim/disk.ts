import type { OutboxEntry, SyncFiles } from '../../electron/sync/io.js';
import { idOf } from '../../electron/sync/protocol/record.js';
import type { Owner } from './clockwork.js';
import type { Disk } from './durable.js';
import type { World } from './world.js';

export type SimFiles = SyncFiles & {
  disk: Disk;
  /** A write of something else that survives; true when it was made. */
  write(change: () => boolean): Promise<boolean>;
  addToOutbox(entry: OutboxEntry): Promise<void>;
};

/** Writes take time, and what a crash meets before is not there; reads are at once. */
export function filesOn(
  disk: Disk,
  owner: Owner,
  { clock, chance, rules, truth }: Pick<World, 'clock' | 'chance' | 'rules' | 'truth'>,
): SimFiles {
  const { wentBack } = truth;
  const faults = rules.disk;
  const write = (change: () => boolean): Promise<boolean> =>
    clock.wait<boolean>(owner, (give) => {
      const { life } = owner;
      clock.at(clock.now + chance.between(1, 6), () => {
        if (owner.life === life) give(change());
      });
    });
  const set = async (change: () => void): Promise<void> => {
    await write(() => {
      change();
      return true;
    });
  };
  return {
    disk,
    write,
    outbox: async () => [...disk.outbox.values()],
    addToOutbox: async (entry) => {
      const id = idOf(entry.record);
      if (!faults.acknowledgesEarly) return set(() => disk.outbox.set(id, entry));
      const { life } = owner;
      clock.at(clock.now + 300, () => {
        if (owner.life === life) disk.outbox.set(id, entry);
      });
    },
    changeOutbox: (decisionId, change) =>
      set(() => {
        const entry = disk.outbox.get(decisionId);
        const next = entry && change(entry);
        if (next) disk.outbox.set(decisionId, next);
      }),
    known: async (id) => disk.known.get(id) ?? null,
    changeKnown: (id, change) =>
      set(() => {
        const known = change(disk.known.get(id) ?? null);
        if (known === null) return;
        if (known.revision < (disk.known.get(id)?.revision ?? 0)) wentBack.push(`${owner.name}: ${id}`);
        disk.known.set(id, known);
      }),
    allKnown: async () =>
      new Map([...disk.known].flatMap(([id, { revision, head }]) => (head === null ? [] : [[id, revision] as const]))),
    forgetRevisions: async () => {
      throw new Error('the engine of the simulation lives once');
    },
    cursor: async () => disk.cursor,
    saveCursor: (cursor) =>
      set(() => {
        disk.cursor = cursor;
      }),
    intent: async (id) => disk.intents.get(id) ?? null,
    saveIntent: (id, intent) => set(() => disk.intents.set(id, intent)),
  };
}
