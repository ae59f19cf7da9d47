import type { ApproveState } from '../../shared/approve.js';
import type { Proposal, Released } from '../../shared/proposal.js';
import { accepted, type Outcome, refused } from '../../shared/refusal.js';
import type { ApproveHandlers, Handlers } from '../answering.js';
import { bulkReleaseOf } from '../checkpoints/bulk.js';
import { dispatchAgain } from '../checkpoints/reconcile.js';
import { readHead } from '../checkpoints/records.js';
import { releaseOf } from '../checkpoints/release.js';
import { textDigest } from '../formats/text-digest.js';
import { guarded } from '../store/refusal.js';
import { type Acting, type Context, listedFor } from './context.js';
import { submit, submitMany } from './deciding.js';
import { withSuspension } from './items.js';

type Offered = NonNullable<ApproveState['offered']>;

/** The one proposal that waits for the approve control. */
interface Held {
  offer: string;
  proposal: Proposal;
  settle(released: Outcome<Released>): void;
}

/** Smaller than this beside the window's own scale, the control cannot be read: it was shrunk by the page. */
const SMALLEST_SCALE = 0.5;

/** The page's half, to propose and to take back; and the control's, which its own origin alone may ask for. */
type Releasing = Pick<Handlers, 'approve:offer' | 'approve:withdraw'> & ApproveHandlers;

/** What it needs beside what every act needs. */
type Releaser = Acting & { shell: { system: Pick<Context['shell']['system'], 'scale'> }; listed: Context['listed'] };

/**
 * The only way by which a call is released: the page proposes, main reads what that would send, the approve control shows
 * main's reading, and its confirmation counts for exactly what it showed.
 */
export function releasing(context: Releaser): Releasing {
  const { shell } = context;
  let held: Held | null = null;
  /** Counts proposals and withdrawals: a reading that took long must not come up after what followed it. */
  let turn = 0;

  /** Ends the proposal that waits, whatever came of it. */
  function end(outcome: Outcome<Released>): void {
    const ended = held;
    held = null;
    ended?.settle(outcome);
    shell.broadcast('approve:changed');
  }

  const gone = () => refused('changed_since_you_looked', 'This is not what waits for an answer any more.');

  return {
    'approve:offer': (proposal) =>
      guarded(async () => {
        end(accepted({ outcome: 'withdrawn' }));
        turn += 1;
        const mine = turn;
        const offer = context.ports.ids.ulid();
        const readable = await read(context, offer, proposal);
        if (!readable.ok) return readable;
        if (mine !== turn) return accepted({ outcome: 'withdrawn' });
        return new Promise((settle) => {
          held = { offer, proposal, settle };
          shell.broadcast('approve:changed');
        });
      }),
    'approve:withdraw': () => {
      turn += 1;
      end(accepted({ outcome: 'withdrawn' }));
      return accepted(null);
    },
    'approve:view': () => guarded(view),
    'approve:confirm': (offer, seal, scale) => guarded(() => confirm(offer, seal, scale)),
    'approve:leave': (offer, action) => {
      if (held?.offer !== offer) return gone();
      end(accepted({ outcome: 'left', action }));
      return accepted(null);
    },
  };

  /** Read anew each time: the record, the table of tools and the settings may have changed. */
  async function view(): Promise<Outcome<ApproveState>> {
    const now = held;
    const { theme } = context.settings.get();
    if (now === null) return accepted({ theme, ...keysOf(context), offered: null });
    const offered = await read(context, now.offer, now.proposal);
    if (held !== now) return view();
    if (!offered.ok) {
      end(offered);
      return accepted({ theme, ...keysOf(context), offered: null });
    }
    const { keys, ...shown } = offered.value;
    return accepted({ theme, ...keys, offered: shown });
  }

  async function confirm(offer: string, seal: string, scale: number): Promise<Outcome<null>> {
    const now = held;
    if (now?.offer !== offer) return gone();
    const expected = await shell.system.scale();
    if (expected !== null && scale < expected * SMALLEST_SCALE)
      return refused('not_allowed', 'The approve control is shown too small to be read.', { scale, expected });
    const offered = await read(context, offer, now.proposal);
    // Taken back, replaced, or confirmed by the press before this one.
    if (held !== now) return gone();
    if (!offered.ok) {
      end(offered);
      return offered;
    }
    const { release } = offered.value;
    if (offered.value.seal !== seal) {
      shell.broadcast('approve:changed');
      return refused('changed_since_you_looked', 'What would be sent has changed; it is shown anew.');
    }
    if (release.act !== 'decide_many' && release.unread.length > 0)
      return refused('not_allowed', 'Not everything was shown yet.', { unread: release.unread });
    held = null;
    shell.broadcast('approve:changed');
    shell.broadcast('approve:taken');
    // The page waits for the outcome, the control does not: continuing may take as long as a tool does.
    void guarded(() => perform(context, now.proposal, release)).then(now.settle, (cause: unknown) => {
      const why = cause instanceof Error ? cause.message : String(cause);
      now.settle(refused('fault', `Something failed inside Holdpoint: ${why}`));
    });
    return accepted(null);
  }
}

type Keys = Pick<ApproveState, 'keys' | 'singleKeys'>;

function keysOf({ settings }: Releaser): Keys {
  const { keys, singleKeys } = settings.get();
  return { keys, singleKeys };
}

/** The reading and its seal: the digest of everything that the control shows, and of the keys that would confirm it. */
async function read(context: Releaser, offer: string, proposal: Proposal): Promise<Outcome<Offered & { keys: Keys }>> {
  const release = await releaseFor(context, proposal);
  if (!release.ok) return release;
  const keys = keysOf(context);
  const seal = textDigest(JSON.stringify([offer, release.value, keys]));
  return accepted({ offer, seal, release: release.value, keys });
}

function releaseFor(context: Releaser, proposal: Proposal): Promise<Outcome<Offered['release']>> {
  const { store, ports } = context;
  if (proposal.act === 'decide_many')
    return bulkReleaseOf(store, ports, proposal.submissions, (source) => listedFor(context, source));
  const id = proposal.act === 'decide' ? proposal.submission.id : proposal.id;
  return withSuspension(id, (key) => releaseOf(store, ports, key, proposal, listedFor(context, key.source)));
}

async function perform(context: Releaser, proposal: Proposal, shown: Offered['release']): Promise<Outcome<Released>> {
  switch (proposal.act) {
    case 'decide': {
      const { submission } = proposal;
      const decided = await submit(context, { submission, repair: submission.repair ?? false });
      return decided.ok ? accepted({ outcome: 'decided', decision: decided.value }) : decided;
    }
    case 'decide_many': {
      if (shown.act !== 'decide_many') throw new Error('a list was proposed');
      const { runs, leftOut } = shown;
      // Exactly those that were on screen.
      const said = runs.flatMap(({ id }) => proposal.submissions.find((one) => one.id === id) ?? []);
      const decided = await submitMany(context, said);
      return decided.ok ? accepted({ outcome: 'decided_many', decided: decided.value, leftOut }) : decided;
    }
    case 'retry_turn': {
      const { id, binding, repair } = proposal;
      const submission = { id, binding, verdicts: [], step: { verdict: 'approve' as const } };
      const decided = await submit(context, { submission, repair, retry: true });
      return decided.ok ? accepted({ outcome: 'decided', decision: decided.value }) : decided;
    }
    case 'continue':
      return done(await goOn(context, proposal.id));
    case 'redispatch':
      return done(await redispatch(context, proposal.id));
  }
}

const done = (ended: Outcome<null>): Outcome<Released> => (ended.ok ? accepted({ outcome: 'done' }) : ended);

/** Answers when the run has suspended, ended or been refused; the journal is live meanwhile. */
function goOn({ runner, shell }: Releaser, id: string): Promise<Outcome<null>> {
  return withSuspension(id, async (key) => {
    const ended = await runner.continueNow(key);
    shell.broadcast('runs:changed');
    return ended;
  });
}

function redispatch(context: Releaser, id: string): Promise<Outcome<null>> {
  const { store, ports, runner, shell, settings } = context;
  return withSuspension(id, async (key) => {
    const name = settings.get().reviewer.trim();
    if (name === '') return refused('not_allowed', 'Enter your name in the settings first.', { missing: 'reviewer' });
    const again = await dispatchAgain(store, ports, key, name);
    if (!again.ok) return again;
    const head = await readHead(store, key);
    // A record that came in latched has no decision yet: its calls wait for one now.
    const ended = head?.head.latch == null ? accepted(null) : await runner.continueNow(key);
    shell.broadcast('runs:changed');
    return ended;
  });
}
