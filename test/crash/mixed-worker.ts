import type { Ack, WriterPlan } from './acks.js';
import { actsOf, openForTrial } from './acts.js';
import { dyingDisk } from './dying-disk.js';

/** A writer of the trials: does what its plan says until it is killed, or ends itself at one change of the disk. */
const plan: WriterPlan = JSON.parse(process.argv[2] ?? '{}');
const dying = dyingDisk();
const say = (ack: Ack) => process.stdout.write(`${JSON.stringify(ack)}\n`);

const store = await openForTrial(plan.root, dying.disk);
say({ t: 'ready' });
dying.arm(plan.killAt, plan.killHow);
let done = 0;
for await (const ack of actsOf(store, plan)) {
  // Nothing is wrong with this disk.
  if (ack !== null) say(ack.t === 'refused' ? { t: 'fault', text: ack.text } : ack);
  done += 1;
  if (done === plan.acts) break;
  // Timers run, too: the snapshot of the index is written by one.
  await new Promise((resolve) => setImmediate(resolve));
}
await store.close();
