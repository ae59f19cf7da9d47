import { PLANS, type Plans } from '../../electron/sync/plans.js';
import type { SharedHead } from '../../electron/sync/protocol/head.js';
import { decode } from '../../electron/sync/protocol/read.js';
import { SharedRecord } from '../../electron/sync/protocol/record.js';
import { accepted } from '../../shared/refusal.js';
import { AS_IT_IS, type Rules } from './rules.js';

interface Removed {
  what: string;
  /** At least one of these is broken by it. */
  finds: readonly string[];
  /** Where to begin looking, for what is found in one schedule of some hundred. */
  from?: number;
  rules(): Rules;
}

const plans = (changed: Partial<Plans>, more: Partial<Rules> = {}): Rules => ({
  ...AS_IT_IS,
  ...more,
  plans: { ...AS_IT_IS.plans, ...changed },
});
const but = (more: Partial<Rules>): Rules => ({ ...AS_IT_IS, ...more });

/** Each rule of the protocol taken out by itself, or an engine that is not fit: the simulation must find what then goes wrong. */
export const REMOVED: Readonly<Record<string, Removed>> = {
  M1: { what: 'no note of a claim survives', finds: ['Y1'], rules: byNameAlone },
  M2: { what: 'silence counts as won', finds: ['Y1'], rules: silenceWins },
  M3: { what: 'decisions are bound to no digest', finds: ['Y1b'], rules: unbound },
  M4: { what: 'writes go over whatever stands there', finds: ['Y1', 'Y4'], rules: () => but({ blindWrites: true }) },
  M5: {
    what: '"queued" is said before it is durable',
    finds: ['Y2'],
    rules: () => but({ disk: { acknowledgesEarly: true } }),
  },
  M6: {
    what: 'markers go after 30 ms',
    from: 285,
    finds: ['Y1', 'Y3', 'Y4'],
    rules: () => but({ engine: { markersKept: 30 } }),
  },
  M6b: {
    what: 'a create goes over a marker',
    from: 380,
    finds: ['Y1', 'Y3', 'Y4'],
    rules: () => but({ engine: { createsOverMarkers: true } }),
  },
  M7: {
    what: 'a run that was handed off is claimed here all the same',
    finds: ['Y1'],
    rules: () => but({ mayClaimWhere: () => accepted(null) }),
  },
  M8: {
    what: 'an older read counts',
    finds: ['Y5'],
    rules: () => plans({ planPull: (_known, read) => PLANS.planPull(null, read) }),
  },
  M9: {
    what: 'what was cut short is dispatched again',
    finds: ['Y1'],
    rules: () => plans({ planAfterCrash: (begun) => PLANS.planAfterCrash(begun, true) }),
  },
  M10: { what: "expiry goes by the machine's own clock", finds: ['Y7'], rules: () => but({ ownClock: true }) },
  M11: { what: 'two processes on one data folder', finds: ['Y1'], rules: () => but({ twoInstances: true }) },
  M12: { what: 'absent means "first attempt"', from: 30, finds: ['Y1', 'Y4'], rules: firstAttempt },
  E1: {
    what: 'an engine that checks before it applies',
    finds: ['Y1', 'Y4'],
    rules: () => but({ engine: { checksBeforeApply: true } }),
  },
  E2: {
    what: 'an engine that forgets what it acknowledged',
    finds: ['Y1', 'Y2', 'Y4'],
    rules: () => but({ engine: { forgets: 1_500 } }),
  },
};

/** Without its token, a claimer that comes back can only go by its name. */
function byNameAlone(): Rules {
  return plans(
    {
      planClaim: (read, claimer) =>
        read.kind === 'head' && read.head.state === 'claimed' && read.head.latch?.by === claimer.by
          ? { kind: 'won', head: read.head, revision: read.revision }
          : PLANS.planClaim(read, claimer),
    },
    { forgetsIntents: true },
  );
}

function silenceWins(): Rules {
  const silent = new Set<string>();
  return plans(
    {
      planClaim: (read, claimer) =>
        silent.has(claimer.token) && read.kind === 'head'
          ? { kind: 'won', head: read.head, revision: read.revision }
          : PLANS.planClaim(read, claimer),
    },
    { unanswered: (token) => silent.add(token) },
  );
}

function unbound(): Rules {
  const own = (head: SharedHead, recordAt: (key: string) => Uint8Array | null): SharedHead => {
    const ref = head.decisions.find((one) => one.decisionId === head.decision);
    const record = SharedRecord.safeParse(decode(recordAt(ref?.key ?? '') ?? new Uint8Array()));
    return record.success && record.data.kind === 'decision' ? { ...head, digest: record.data.decision.digest } : head;
  };
  return plans({
    fateOf: (mine, digest, read) => PLANS.fateOf(mine, read.kind === 'head' ? read.head.digest : digest, read),
    planPush: (read, mine, digest, seal) =>
      PLANS.planPush(read, mine, read.kind === 'head' ? read.head.digest : digest, seal),
    checkDecisions: (head, id, recordAt, verify) => PLANS.checkDecisions(own(head, recordAt), id, recordAt, verify),
  });
}

/** As klieo does it: nothing there, a marker included, is a run that nobody resumed yet. */
function firstAttempt(): Rules {
  const seen = new Map<string, SharedHead>();
  return plans({
    planClaim: (read, claimer) => {
      if (read.kind === 'head' && read.head.state === 'decided') seen.set(claimer.token, read.head);
      const head = seen.get(claimer.token);
      if (head === undefined || (read.kind !== 'absent' && read.kind !== 'marker'))
        return PLANS.planClaim(read, claimer);
      const latch = { token: claimer.token, by: claimer.by, at: claimer.at, decisionId: head.decision ?? '' };
      const expected = read.kind === 'marker' ? read.revision : 0;
      return { kind: 'write', next: { ...head, state: 'claimed', latch }, expected };
    },
  });
}
