import type { Decision } from '../../shared/decision.js';
import type { Submission } from '../../shared/ipc.js';
import { accepted, type Outcome, refused } from '../../shared/refusal.js';
import type { Handlers } from '../answering.js';
import { decide, object, undo } from '../checkpoints/decide.js';
import { changeDesk } from '../checkpoints/desk.js';
import { releases } from '../checkpoints/release.js';
import { guarded } from '../store/refusal.js';
import type { Acting } from './context.js';
import { withSuspension } from './items.js';

type Deciding = Pick<Handlers, 'decide:submit' | 'decide:undo' | 'decide:object' | 'run:draft' | 'run:snooze'>;

/** A decision carries a name; without one nobody could be held to it (H9). */
const nameless = () =>
  refused('not_allowed', 'Enter your name in the settings first: every decision carries one.', { missing: 'reviewer' });

type Said = Pick<Submission, 'id' | 'binding' | 'verdicts' | 'step'>;

/** Writes a decision in the reviewer's name, and lets the runner know. Every way to decide ends here. */
export function submit(
  { store, ports, runner, shell, settings }: Acting,
  { submission, repair, retry = false }: { submission: Said; repair: boolean; retry?: boolean },
): Promise<Outcome<Decision>> {
  return withSuspension(submission.id, async (key) => {
    const name = settings.get().reviewer.trim();
    if (name === '') return nameless();
    const { binding, verdicts, step } = submission;
    const said = { key, binding, verdicts, step, repair, reviewer: { name } };
    const decided = await decide(store, ports, retry ? { ...said, retry } : said);
    // The runner looks at the route itself: a run that is handed over waits for its agent.
    if (decided.ok) await runner.decided(key, decided.value.notBefore);
    shell.broadcast('runs:changed');
    return decided;
  });
}

export function deciding(context: Acting): Deciding {
  const { store, ports, runner, shell } = context;
  const reviewer = (): string => context.settings.get().reviewer.trim();
  return {
    // The page may refuse and answer; what releases a call is said in the approve control's own origin (`releasing.ts`).
    'decide:submit': (submission) =>
      releases(submission)
        ? refused('not_allowed', 'Only the approve control may release a call.', { id: submission.id })
        : guarded(() => submit(context, { submission, repair: submission.repair ?? false })),
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
