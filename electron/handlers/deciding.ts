import type { Decision } from '../../shared/decision.js';
import type { DecidedMany, Submission } from '../../shared/proposal.js';
import { accepted, type Outcome, refused } from '../../shared/refusal.js';
import type { Handlers } from '../answering.js';
import { bulkOf } from '../checkpoints/bulk.js';
import { decide, decideMany, object, type Submitted, undo } from '../checkpoints/decide.js';
import { changeDesk } from '../checkpoints/desk.js';
import { releases } from '../checkpoints/release.js';
import { guarded } from '../store/refusal.js';
import { type Acting, type Context, listedFor } from './context.js';
import { suspensionOf, withSuspension } from './items.js';

type Deciding = Pick<
  Handlers,
  | 'bulk:read'
  | 'decide:submit'
  | 'decide:submit-many'
  | 'decide:undo'
  | 'decide:undo-many'
  | 'decide:object'
  | 'run:draft'
  | 'run:snooze'
>;

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

/** The same for several runs as one act: written together, bound and answered each by itself, with one `batchId`. */
export async function submitMany(
  { store, ports, runner, shell, settings }: Acting,
  submissions: readonly Said[],
): Promise<Outcome<DecidedMany>> {
  const name = settings.get().reviewer.trim();
  if (name === '') return nameless();
  const batchId = ports.ids.ulid();
  const told: DecidedMany['told'] = [];
  const submitted: { id: string; said: Submitted }[] = [];
  for (const { id, binding, verdicts, step } of submissions) {
    const key = suspensionOf(id);
    if (!key.ok) told.push({ id, answer: key });
    else
      submitted.push({
        id,
        said: { key: key.value, binding, verdicts, step, repair: false, reviewer: { name }, batchId },
      });
  }
  const answers = await decideMany(
    store,
    ports,
    submitted.map(({ said }) => said),
  );
  for (const [n, { id, said }] of submitted.entries()) {
    const answer = answers[n];
    if (answer === undefined) throw new Error('one answer for each decision');
    told.push({ id, answer });
    // It holds whether or not the runner can be told of it now: what is left is taken up by the next start.
    if (answer.ok) await guarded(async () => accepted(await runner.decided(said.key, answer.value.notBefore)));
  }
  shell.broadcast('runs:changed');
  return accepted({ batchId, told });
}

export function deciding(context: Acting & Pick<Context, 'listed'>): Deciding {
  const { store, ports, runner, shell } = context;
  const reviewer = (): string => context.settings.get().reviewer.trim();
  const takeBack = (id: string): Promise<Outcome<null>> =>
    withSuspension(id, async (key) => {
      const undone = await undo(store, ports, key, reviewer() || 'unnamed reviewer');
      if (undone.ok) runner.forget(key);
      shell.broadcast('runs:changed');
      return undone;
    });
  return {
    // The page may refuse and answer; what releases a call is said in the approve control's own origin (`releasing.ts`).
    'decide:submit': (submission) =>
      releases(submission)
        ? refused('not_allowed', 'Only the approve control may release a call.', { id: submission.id })
        : guarded(() => submit(context, { submission, repair: submission.repair ?? false })),
    'decide:submit-many': (submissions) => {
      const released = submissions.find(releases);
      if (released) return refused('not_allowed', 'Only the approve control may release a call.', { id: released.id });
      return guarded(() => submitMany(context, submissions));
    },
    'bulk:read': (ids, said) =>
      guarded(async () => accepted(await bulkOf(store, ports, ids, said, (source) => listedFor(context, source)))),
    'decide:undo': (id) => guarded(() => takeBack(id)),
    'decide:undo-many': async (ids) => {
      const told = [];
      for (const id of ids) told.push({ id, answer: await guarded(() => takeBack(id)) });
      return accepted(told);
    },
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
