import { createHash } from 'node:crypto';
import type { SuspensionKey } from '../../shared/decision.js';
import { accepted, type Outcome, refused } from '../../shared/refusal.js';
import type { Route } from '../../shared/settings.js';
import { formatNs } from '../../shared/time.js';
import type { Ports } from '../ports.js';
import { CasConflict, CasIndeterminate, type KvStore } from '../store/contract.js';
import { claimFacts } from './facts.js';
import type { Latch } from './head.js';
import { mayClaim, type Plan, refusedByLatch } from './may-fire.js';
import { checkBeside } from './neighbours.js';
import { type HeadAt, type Loaded, load, readDecision, readHead, readJournal, writeHead } from './records.js';

export interface Claimed {
  loaded: Loaded;
  latch: Latch;
  plan: Plan;
}

export const claimDigest = (token: string): string => createHash('sha256').update(token).digest('hex');

/**
 * Takes the one-shot right to continue by this route (I2): checks the rule on what is in the store, then compare-and-sets the head on
 * the revision read. The latch is durable when this returns; nothing else has changed yet. A loser is told who won.
 */
export async function claim(
  store: KvStore,
  ports: Ports,
  key: SuspensionKey,
  token: string,
  route: Route,
): Promise<Outcome<Claimed>> {
  const loaded = await load(store, key);
  if (!loaded.ok) return loaded;
  // A person may have chosen the other way since the claimer looked; the head's compare-and-set covers the rest.
  if (loaded.value.head.route !== route)
    return route === 'here'
      ? refused('handed_over', 'This run is handed over: its own agent claims it.')
      : refused('continues_here', 'This run continues in the window; it is not handed over.');
  const facts = claimFacts(loaded.value, ports);
  const plan = mayClaim(facts);
  if (!plan.ok) return plan;
  const latch: Latch = {
    kind: loaded.value.head.route,
    claim: claimDigest(token),
    by: ports.process,
    at: formatNs(ports.clock.now()),
    decisionId: plan.value.decision?.decisionId ?? null,
    decisionRevision: plan.value.decisionRevision,
    decisionSha256: loaded.value.decision.kind === 'decision' ? loaded.value.decision.sha256 : null,
    reopened: 0,
  };
  await ports.at?.('claim.before-latch');
  const set = await setLatch(store, { head: loaded.value.head, revision: loaded.value.revision }, latch);
  if (!set.ok) return set;
  await ports.at?.('claim.after-latch');
  if (set.value === 'lost') {
    const winner = await readHead(store, key);
    if (winner?.head.latch) return refusedByLatch(winner.head.latch, loaded.value, facts.isRepeatable);
    return refused('changed_since_you_looked', 'The run changed while it was being claimed; nothing was done.');
  }
  // A decision taken back, or objected to, after we read it: stand back (the other side waits for our journal).
  const now = await readDecision(store, key);
  if (now.revision !== plan.value.decisionRevision) {
    await dropLatch(store, key, latch.claim);
    return refused('not_decided', 'The decision was taken back while the run was being claimed; nothing was done.');
  }
  // So does a claim of somebody else that came in meanwhile.
  const { format, bytes, beside } = loaded.value;
  const again = await checkBeside(store, key, format, bytes);
  if (again?.refusal && again.claimDigest !== beside?.claimDigest) {
    await dropLatch(store, key, latch.claim);
    return { ok: false, refusal: again.refusal };
  }
  return accepted({
    loaded: { ...loaded.value, head: { ...loaded.value.head, latch }, revision: set.value },
    latch,
    plan: plan.value,
  });
}

/** Sets a latch over the head read. `lost`: somebody else wrote first. In doubt means: nothing may be dispatched. */
async function setLatch(store: KvStore, at: HeadAt, latch: Latch): Promise<Outcome<number | 'lost'>> {
  try {
    return accepted(await writeHead(store, { ...at.head, latch }, at.revision));
  } catch (error) {
    if (error instanceof CasConflict) return accepted('lost');
    if (error instanceof CasIndeterminate)
      return refused(
        'in_doubt',
        `The disk cannot say whether the claim holds (${error.message}). Nothing was dispatched.`,
      );
    throw error;
  }
}

/**
 * Takes the right again after a person settled what was unknown, or after a crash with nothing started: a new latch
 * over the old one, by compare-and-set, so that two windows cannot both go on. The pinned decision stays.
 */
export async function reclaim(
  store: KvStore,
  ports: Ports,
  key: SuspensionKey,
  token: string,
): Promise<Outcome<Latch>> {
  const at = await readHead(store, key);
  if (at === null) return refused('not_found', 'This run is gone.');
  const old = at.head.latch;
  if (old === null) return refused('nothing_to_continue', 'This run is not claimed.');
  const latch: Latch = {
    ...old,
    claim: claimDigest(token),
    by: ports.process,
    at: formatNs(ports.clock.now()),
    reopened: old.reopened + 1,
  };
  await ports.at?.('reclaim.before-latch');
  const set = await setLatch(store, at, latch);
  if (!set.ok) return set;
  if (set.value !== 'lost') return accepted(latch);
  const winner = await readHead(store, key);
  return refused(
    'already_claimed',
    `Already claimed at ${winner?.head.latch?.at ?? '?'} by ${winner?.head.latch?.by.name ?? 'somebody else'}.`,
  );
}

/** A claim for a record that came in latched and was settled by a person: there is no decision to pin. */
export async function claimReconciled(
  store: KvStore,
  ports: Ports,
  key: SuspensionKey,
  token: string,
): Promise<Outcome<Latch>> {
  const at = await readHead(store, key);
  if (at === null) return refused('not_found', 'This run is gone.');
  if (at.head.latch) return reclaim(store, ports, key, token);
  const latch: Latch = {
    kind: 'here',
    claim: claimDigest(token),
    by: ports.process,
    at: formatNs(ports.clock.now()),
    decisionId: null,
    decisionRevision: null,
    decisionSha256: null,
    reopened: 0,
  };
  const set = await setLatch(store, at, latch);
  if (!set.ok) return set;
  if (set.value !== 'lost') return accepted(latch);
  return refused('already_claimed', 'Somebody else claimed this run first; nothing was done.');
}

/**
 * A claimer that ended between its latch and its journal has started nothing. Where the decision that it pinned was taken back or
 * changed since, its claim must not go on: the latch goes, and this refuses. Null where the claim stands.
 */
export async function refuseStale(
  store: KvStore,
  loaded: Pick<Loaded, 'key' | 'journal'>,
  latch: Pick<Latch, 'claim'>,
  pinned: number,
): Promise<Outcome<never> | null> {
  if (loaded.journal !== null) return null;
  const now = await readDecision(store, loaded.key);
  if (now.revision === pinned) return null;
  const dropped = await dropLatch(store, loaded.key, latch.claim);
  if (!dropped.ok) return dropped;
  return refused('not_decided', 'The decision was taken back while the run was being claimed; nothing was done.');
}

/** Gives the right back while no journal exists: nothing has started, so nothing is lost. */
export async function dropLatch(store: KvStore, key: SuspensionKey, claimed: string): Promise<Outcome<null>> {
  for (;;) {
    const at = await readHead(store, key);
    if (at?.head.latch?.claim !== claimed) return accepted(null);
    if ((await readJournal(store, key)) !== null)
      return refused('too_late', 'Calls of this claim may have started; it cannot be given back.');
    try {
      await writeHead(store, { ...at.head, latch: null }, at.revision);
      return accepted(null);
    } catch (error) {
      if (!(error instanceof CasConflict)) throw error;
    }
  }
}
