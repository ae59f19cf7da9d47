import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { isAlive, thisProcess } from '../identity.js';
import { startOf } from '../process-start.js';

/** A child as it was started, and by whom. A process id alone means nothing: `start` tells it from a later process. */
const LeftChild = z.strictObject({
  pid: z.number().int().positive(),
  start: z.string(),
  owner: z.strictObject({ host: z.string(), boot: z.string(), pid: z.number(), start: z.string().nullable() }),
});
type LeftChild = z.infer<typeof LeftChild>;

export interface ChildRecords {
  /** A child lives from here on. */
  note(pid: number): void;
  /** It has ended. */
  forget(pid: number): void;
  /** Ends what a process that was killed left running, and returns how many that were. */
  endLeft(): number;
}

/**
 * Remembers in the data folder which children run. A tool server that ignores the end of its input outlives a Holdpoint
 * that was killed without warning; the next start ends it. Only a process of this boot with the very same start, whose
 * owner is gone, is ended; where the system does not tell when a process started, none is. Best effort throughout.
 */
export function childRecords(dataFolder: string): ChildRecords {
  const folder = join(dataFolder, 'children');
  const fileOf = (pid: number) => join(folder, `${pid}.json`);
  return {
    note(pid) {
      const start = startOf(pid);
      if (start === null) return;
      const { name: _name, ...owner } = thisProcess('');
      const record: LeftChild = { pid, start, owner: { ...owner, start: owner.start ?? null } };
      quietly(() => mkdirSync(folder, { mode: 0o700 }));
      quietly(() => writeFileSync(fileOf(pid), JSON.stringify(record), { mode: 0o600 }));
    },
    forget: (pid) => quietly(() => rmSync(fileOf(pid), { force: true })),
    endLeft() {
      let ended = 0;
      quietly(() => {
        for (const name of readdirSync(folder)) if (/^\d+\.json$/.test(name) && endOne(join(folder, name))) ended += 1;
      });
      return ended;
    },
  };
}

/** True when there was something to end. */
function endOne(path: string): boolean {
  let text = '';
  quietly(() => {
    text = readFileSync(path, 'utf8');
  });
  const parsed = LeftChild.safeParse(parseOrNull(text));
  if (parsed.success && isOwned(parsed.data)) return false;
  let ended = false;
  if (parsed.success && isSame(parsed.data)) {
    // The child leads a group of its own: what it started goes with it.
    quietly(() => {
      process.kill(-parsed.data.pid, 'SIGKILL');
      ended = true;
    });
  }
  quietly(() => rmSync(path, { force: true }));
  return ended;
}

/** True while the process that started it may be running, here or on a machine that cannot be asked. */
function isOwned({ owner }: LeftChild): boolean {
  return isAlive(owner) !== 'no';
}

/** True when that process is still the one that was started, in this boot of the machine. */
function isSame({ pid, start, owner }: LeftChild): boolean {
  return startOf(pid) === start && isAlive({ host: owner.host, boot: owner.boot, pid, start }) === 'yes';
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // Cut off by the end of its writer.
  }
}

function quietly(act: () => void): void {
  try {
    act();
  } catch {
    // Nothing depends on it.
  }
}
