import { existsSync, readFileSync } from 'node:fs';
import { claimDigest } from '../../electron/checkpoints/latch.js';
import { readDecision, readHead, readJournal } from '../../electron/checkpoints/records.js';
import type { KvStore } from '../../electron/store/contract.js';
import { isHandedOver, isOld, runKey } from './acks.js';
import type { Promised, PromisedRun } from './promised.js';

/** Every acknowledged step of every run is there, nobody claimed twice, and no call fired twice or before it was journaled. */
export async function runProblems(store: KvStore, promised: Promised, ledger: string): Promise<string[]> {
  const problems: string[] = [];
  const fired = firedIn(ledger);
  for (const [run, said] of promised.runs) {
    for (const problem of await oneRun(store, run, said, fired.get(run) ?? 0)) problems.push(`run ${run}: ${problem}`);
  }
  return problems;
}

/** How often the call of each run really happened. */
function firedIn(ledger: string): Map<number, number> {
  const fired = new Map<number, number>();
  const lines = existsSync(ledger) ? readFileSync(ledger, 'utf8').split('\n').filter(Boolean) : [];
  for (const line of lines) {
    const { run } = JSON.parse(line);
    fired.set(run, (fired.get(run) ?? 0) + 1);
  }
  return fired;
}

async function oneRun(store: KvStore, run: number, said: PromisedRun, fired: number): Promise<string[]> {
  const key = runKey(run);
  const problems: string[] = [];
  const expect = (held: boolean, what: string) => {
    if (!held) problems.push(what);
  };
  const at = await readHead(store, key);
  const decision = await readDecision(store, key);
  const journal = (await readJournal(store, key))?.journal;
  const call = journal?.calls[0];
  expect(fired <= 1, `its call fired ${fired} times`);
  if (at === null) {
    expect(isOld(run) && said.decisionId === null && fired === 0, 'it is gone, and was not to go');
    return problems;
  }
  if (said.decisionId !== null) {
    const kept = decision.kind === 'decision' ? decision.decision.decisionId : decision.kind;
    expect(kept === said.decisionId, `its decision is ${kept}, not the acknowledged one`);
  }
  if (said.token !== null) {
    expect(at.head.latch?.claim === claimDigest(said.token), 'its latch is not the acknowledged one');
    expect(journal?.claim === claimDigest(said.token), 'its journal is not that of the acknowledged claim');
  }
  if (said.started) expect(['started', 'done'].includes(call?.state ?? ''), `its started call is ${call?.state}`);
  if (said.report !== null) {
    expect(call?.state === 'done' && call.result === said.report, `its reported call is ${call?.state}`);
  }
  if (said.completed || said.resumed) {
    expect(journal?.continuation.state === 'completed', `its completed journal is ${journal?.continuation.state}`);
  }
  if (fired > 0) {
    expect(decision.kind === 'decision', 'its call fired without a decision');
    expect(at.head.latch !== null, 'its call fired without a claim');
    expect(call !== undefined && call.state !== 'not_started', 'its call fired before it was journaled as started');
  }
  expect(isHandedOver(run) === (at.head.route === 'handed_over'), 'its route changed');
  return problems;
}
