import { Runner } from '../../electron/checkpoints/runner.js';
import { deciding } from '../../electron/handlers/deciding.js';
import { releasing } from '../../electron/handlers/releasing.js';
import { resuming } from '../../electron/handlers/resuming.js';
import type { ListedTool } from '../../electron/ports.js';
import type { Question } from '../../electron/shell/holdpoint.js';
import type { ApproveEvent, EventChannel } from '../../shared/channels.js';
import type { Decision, SuspensionKey } from '../../shared/decision.js';
import type { Proposal, Released } from '../../shared/proposal.js';
import { accepted, type Outcome } from '../../shared/refusal.js';
import type { World } from './world.js';

/** The handlers of the window over a world: what they ask of the runner's timers and tell the page is kept. */
export function acting(world: World, listed: Map<string, readonly ListedTool[]> = new Map()) {
  const told: (EventChannel | ApproveEvent)[] = [];
  const questions: Question[] = [];
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
    shell: {
      // What only the approve control and its frame are told is left out.
      broadcast: (channel: EventChannel | ApproveEvent) => {
        if (!channel.startsWith('approve:')) told.push(channel);
      },
      system: {
        scale: async () => 1,
        ask: async (question: Question) => {
          questions.push(question);
          return world.agrees;
        },
      },
    },
    listed,
  };
  const control = releasing(context);
  /** Proposes as the page does, and confirms as a person does in the approve control. */
  async function release(proposal: Proposal): Promise<Outcome<Released>> {
    let ended: Outcome<Released> | null = null;
    const outcome = Promise.resolve(control['approve:offer'](proposal)).then((reply) => {
      ended = reply;
      return reply;
    });
    while (ended === null) {
      const view = await control['approve:view']();
      const offered = view.ok ? view.value.offered : null;
      if (offered) await control['approve:confirm'](offered.offer, offered.seal, 1);
      await new Promise((done) => setImmediate(done));
    }
    return outcome;
  }
  const retryTurn = async (
    id: string,
    binding: (Proposal & { act: 'retry_turn' })['binding'],
    { repair }: { repair: boolean },
  ): Promise<Outcome<Decision>> => {
    const ended = await release({ act: 'retry_turn', id, binding, repair });
    if (!ended.ok) return ended;
    if (ended.value.outcome !== 'decided') throw new Error(`it ended as ${ended.value.outcome}`);
    return accepted(ended.value.decision);
  };
  return { ...deciding(context), ...resuming(context), ...control, release, retryTurn, runner, told, due, questions };
}

export const itemOf = (key: SuspensionKey): string => `s:${key.system}:${key.source}:${key.seq}:${key.runId}`;
