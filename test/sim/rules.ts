import { mayClaimWhere } from '../../electron/checkpoints/may-fire.js';
import type { Stored } from '../../electron/sync/engine.js';
import { PLANS, type Plans } from '../../electron/sync/plans.js';
import type { Read } from '../../electron/sync/protocol/read.js';
import type { DiskFaults } from './durable.js';
import type { EngineFaults } from './sim-engine.js';

/** What a schedule runs by: the protocol as it is, unless a test takes a rule out. */
export interface Rules {
  plans: Plans;
  engine: EngineFaults;
  disk: DiskFaults;
  mayClaimWhere: typeof mayClaimWhere;
  /** Notes of claims do not survive a crash. */
  forgetsIntents?: boolean;
  /** Told of the token of each claim that got no answer. */
  unanswered?: (token: string) => void;
  /** Writes go over whatever stands there. */
  blindWrites?: boolean;
  /** Expiry goes by the machine's own clock. */
  ownClock?: boolean;
  /** Two processes on one data folder. */
  twoInstances?: boolean;
}

const reads = new WeakMap<Stored, Read>();

/** Each stored message is read once; what it says does not change. */
function readOnce(stored: Stored | null): Read {
  const known = stored && reads.get(stored);
  if (known) return known;
  const read = PLANS.readStored(stored);
  if (stored) reads.set(stored, read);
  return read;
}

export const AS_IT_IS: Rules = { plans: { ...PLANS, readStored: readOnce }, engine: {}, disk: {}, mayClaimWhere };
