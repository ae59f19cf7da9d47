/** R14 and R13 of the signals between which a wait is decided. All times in milliseconds of the store's clock. */

/**
 * A signal for a wait with a timeout: at the exact deadline the timeout has won, and the signal is kept for the record
 * only (R14).
 */
export function signalOutcome(arrivesAtMs: bigint, wakeAtMs: bigint): 'WokeWorkflow' | 'DeadLettered' {
  return arrivesAtMs < wakeAtMs ? 'WokeWorkflow' : 'DeadLettered';
}

/** May a kept signal be compacted? Those accepted at or before the cutoff, but never one that is still pending (R14). */
export function mayCompact(
  signal: { state: 'pending' | 'consumed' | 'dead_lettered'; acceptedAtMs: bigint },
  cutoffMs: bigint,
): boolean {
  return signal.state !== 'pending' && signal.acceptedAtMs <= cutoffMs;
}
