import { fateOf } from './protocol/fates.js';
import { planAfterCrash, planClaim, planSettle } from './protocol/plan-claim.js';
import { planEnd, planExpire, planHandOff, planPurge } from './protocol/plan-keep.js';
import { planConnect, planPull, planReconcile } from './protocol/plan-pull.js';
import { planPush } from './protocol/plan-push.js';
import { readStored } from './protocol/read.js';
import { checkDecisions } from './protocol/record.js';

/** The rules of the protocol, as whoever carries them out is given them. There is one set; tests take rules out of it. */
export const PLANS = {
  readStored,
  fateOf,
  planPull,
  planPush,
  planClaim,
  checkDecisions,
  planSettle,
  planAfterCrash,
  planHandOff,
  planExpire,
  planEnd,
  planPurge,
  planConnect,
  planReconcile,
};
export type Plans = typeof PLANS;
