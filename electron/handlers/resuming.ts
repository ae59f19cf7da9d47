import type { SuspensionKey } from '../../shared/decision.js';
import { accepted, refused } from '../../shared/refusal.js';
import type { Handlers } from '../answering.js';
import { release } from '../checkpoints/handover.js';
import { giveUpClaim } from '../checkpoints/neighbours.js';
import { closeRun, reconcile } from '../checkpoints/reconcile.js';
import { load, readDecision, readHead, writeHead } from '../checkpoints/records.js';
import { shown } from '../shell/shown.js';
import { guarded } from '../store/refusal.js';
import { asked } from './asked.js';
import type { Acting } from './context.js';
import { withSuspension } from './items.js';

type Resuming = Pick<
  Handlers,
  'resume:cancel' | 'resume:reconcile' | 'resume:release' | 'resume:claim-given-up' | 'run:route'
>;

const ROUTE_WORDS = {
  here: 'What was approved would be sent from here.',
  handed_over: 'What was approved would be handed to whoever asks for it by the command line or the engine.',
};

const runName = ({ source, runId, seq }: SuspensionKey): string =>
  `Run ${shown(runId)} of the source ${shown(source)}, hold number ${seq}.`;

export function resuming(context: Acting): Resuming {
  const { store, ports, runner, shell } = context;
  const name = (): string => context.settings.get().reviewer.trim();
  const changed = <T>(value: T): T => {
    shell.broadcast('runs:changed');
    return value;
  };
  /** A decision of before may go on now. */
  const letGoOn = async (key: SuspensionKey): Promise<void> => {
    const said = await readDecision(store, key);
    if (said.kind === 'decision' && !said.decision.withdrawn) await runner.decided(key, said.decision.notBefore);
  };
  return {
    'resume:cancel': (id) =>
      guarded(() =>
        withSuspension(id, async (key) => {
          // Not running here: a claimed run whose calls are all settled can be closed for good.
          return changed(
            runner.stop(key) ? accepted(null) : await closeRun(store, ports, key, name() || 'unnamed reviewer'),
          );
        }),
      ),
    'resume:reconcile': (id, call, settlement) =>
      guarded(() =>
        withSuspension(id, async (key) => {
          if (name() === '')
            return refused('not_allowed', 'Enter your name in the settings first: a reconciliation carries one.', {
              missing: 'reviewer',
            });
          await runner.noteInterrupted(key);
          return changed(await reconcile(store, ports, key, call, settlement, name()));
        }),
      ),
    'resume:release': (id) =>
      guarded(() =>
        withSuspension(id, async (key) => changed(await release(store, ports, key, name() || 'unnamed reviewer'))),
      ),
    'resume:claim-given-up': (id, { digest, note }) =>
      guarded(() =>
        withSuspension(id, async (key) => {
          const by = name();
          if (by === '')
            return refused('not_allowed', 'Enter your name in the settings first: what you say carries one.', {
              missing: 'reviewer',
            });
          const agreed = await asked(shell, {
            message: 'Say that this claim was given up?',
            detail: `${runName(key)}\n\nSomebody else holds it. What is approved may go out from here as soon as you say so; if they go on all the same, a call may run twice.`,
            yes: 'It was given up',
          });
          if (!agreed.ok) return agreed;
          const given = await giveUpClaim(store, ports, key, { digest, by, note: note.trim() });
          if (given.ok) await letGoOn(key);
          return changed(given);
        }),
      ),
    'run:route': (id, route) =>
      guarded(() =>
        withSuspension(id, async (key) => {
          const at = await readHead(store, key);
          if (at === null) return refused('not_found', 'This run is gone.');
          if (at.head.latch) return refused('too_late', 'This run is claimed already; its way is settled.');
          const loaded = route === 'here' ? await load(store, key) : null;
          if (loaded?.ok && loaded.value.record.onlyHandedOver !== undefined)
            return refused('handed_over', loaded.value.record.onlyHandedOver);
          const said = await readDecision(store, key);
          if (at.head.route !== route && said.kind === 'decision' && !said.decision.withdrawn) {
            const agreed = await asked(shell, {
              message: 'Change the way of a run that is decided?',
              detail: `${runName(key)}\n\nDecided by ${shown(said.decision.reviewer.name)}. ${ROUTE_WORDS[route]}`,
              yes: 'Change it',
            });
            if (!agreed.ok) return agreed;
          }
          if (at.head.route !== route) await writeHead(store, { ...at.head, route }, at.revision);
          runner.forget(key);
          await letGoOn(key);
          return changed(accepted(null));
        }),
      ),
  };
}
