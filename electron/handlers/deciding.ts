import { accepted, refused } from '../../shared/refusal.js';
import type { Handlers } from '../answering.js';
import { decide, object, undo } from '../checkpoints/decide.js';
import { changeDesk } from '../checkpoints/desk.js';
import { guarded } from '../store/refusal.js';
import type { Acting } from './context.js';
import { withSuspension } from './items.js';

type Deciding = Pick<
  Handlers,
  'decide:submit' | 'decide:undo' | 'decide:object' | 'resume:retry-turn' | 'run:draft' | 'run:snooze'
>;

/** A decision carries a name; without one nobody could be held to it (H9). */
const nameless = () =>
  refused('not_allowed', 'Enter your name in the settings first: every decision carries one.', { missing: 'reviewer' });

export function deciding(context: Acting): Deciding {
  const { store, ports, runner, shell } = context;
  const reviewer = (): string => context.settings.get().reviewer.trim();
  return {
    'decide:submit': (submission) =>
      guarded(() =>
        withSuspension(submission.id, async (key) => {
          const name = reviewer();
          if (name === '') return nameless();
          const decided = await decide(store, ports, {
            key,
            binding: submission.binding,
            verdicts: submission.verdicts,
            step: submission.step,
            repair: submission.repair ?? false,
            reviewer: { name },
          });
          // The runner looks at the route itself: a run that is handed over waits for its agent.
          if (decided.ok) await runner.decided(key, decided.value.notBefore);
          shell.broadcast('runs:changed');
          return decided;
        }),
      ),
    'resume:retry-turn': (id, binding, { repair }) =>
      guarded(() =>
        withSuspension(id, async (key) => {
          const name = reviewer();
          if (name === '') return nameless();
          const step = { verdict: 'approve' as const };
          const said = { key, binding, verdicts: [], step, repair, retry: true, reviewer: { name } };
          const decided = await decide(store, ports, said);
          if (decided.ok) await runner.decided(key, decided.value.notBefore);
          shell.broadcast('runs:changed');
          return decided;
        }),
      ),
    'decide:undo': (id) =>
      guarded(() =>
        withSuspension(id, async (key) => {
          const undone = await undo(store, ports, key, reviewer() || 'unnamed reviewer');
          if (undone.ok) runner.forget(key);
          shell.broadcast('runs:changed');
          return undone;
        }),
      ),
    'decide:object': (id, text) =>
      guarded(() =>
        withSuspension(id, async (key) => {
          if (reviewer() === '') return nameless();
          const held = await object(store, ports, key, reviewer(), text);
          if (held.ok) runner.forget(key);
          shell.broadcast('runs:changed');
          return held;
        }),
      ),
    'run:draft': (id, call, draft) =>
      guarded(() =>
        withSuspension(id, async (key) => {
          await changeDesk(store, key, (desk) => ({ ...desk, drafts: { ...desk.drafts, [String(call)]: draft } }));
          return accepted(null);
        }),
      ),
    'run:snooze': (id, until) =>
      guarded(() =>
        withSuspension(id, async (key) => {
          await changeDesk(store, key, (desk) => ({ ...desk, snoozedUntil: until }));
          shell.broadcast('runs:changed');
          return accepted(null);
        }),
      ),
  };
}
