import { closeSync, openSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { type Disk, nodeDisk } from '../../electron/store/disk.js';
import type { FileStore } from '../../electron/store/opened-store.js';
import { type Ack, PLAIN, type SteadyPlan } from './acks.js';
import { actsOf, openForTrial } from './acts.js';
import { seeded } from './seeded.js';

/**
 * A writer that lives through faults of its disk. For each plan on its input it says `ready`, waits for a line, acts while
 * something is wrong, says `paused`, waits for a line, and acts on: nothing may be refused any more, although the store
 * was never opened anew.
 */
const AFTERWARDS = 12;
const say = (ack: Ack) => process.stdout.write(`${JSON.stringify(ack)}\n`);
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

for (let line = await lines.next(); line.done !== true; line = await lines.next()) {
  const plan: SteadyPlan = JSON.parse(line.value);
  const store = await openForTrial(plan.root, plan.skipSync === null ? undefined : withoutSync(plan.skipSync));
  say({ t: 'ready' });
  await lines.next();
  const taken = plan.withoutHandles ? takeHandles() : [];
  await act(store, plan, true);
  for (const fd of taken) closeSync(fd);
  say({ t: 'paused' });
  await lines.next();
  await act(store, { ...plan, name: `${plan.name} on`, base: plan.base + 3, acts: AFTERWARDS }, false);
  await store.close();
  say({ t: 'over' });
}

async function act(store: FileStore, plan: SteadyPlan, faulty: boolean): Promise<void> {
  const random = seeded(plan.seed + 1);
  let done = 0;
  for await (const ack of actsOf(store, plan)) {
    if (ack !== null) say(ack.t === 'refused' && !faulty ? { t: 'fault', text: `after the fault: ${ack.text}` } : ack);
    if (ack?.t === 'refused' && !plan.withoutHandles) await stillReads(store, ack.name);
    done += 1;
    if (done === plan.acts) return;
    await new Promise((resolve) => setTimeout(resolve, plan.restMs === 0 ? 0 : random.below(plan.restMs)));
  }
}

/** Whatever is wrong with writing, reading goes on. */
async function stillReads(store: FileStore, refusal: string): Promise<void> {
  if (refusal !== 'StoreFull' && refusal !== 'StoreReadOnly') return;
  try {
    await store.get(PLAIN, 'hot');
    await store.keysPage(PLAIN, null, 3);
  } catch (error) {
    say({ t: 'fault', text: `a read after a refused write: ${String(error)}` });
  }
}

function takeHandles(): number[] {
  const taken: number[] = [];
  try {
    for (;;) taken.push(openSync('/dev/null', 'r'));
  } catch {
    return taken;
  }
}

function withoutSync(kind: 'file' | 'folder'): Disk {
  return {
    ...nodeDisk,
    fsync: (fd) => {
      if (nodeDisk.fstat(fd).kind !== kind) nodeDisk.fsync(fd);
    },
  };
}
