import { decide, decideMany, type Submitted } from '../../electron/checkpoints/decide.js';
import { sweep } from '../../electron/checkpoints/gc.js';
import { complete, handOver, reportCall, startCall } from '../../electron/checkpoints/handover.js';
import { takeIn } from '../../electron/checkpoints/intake.js';
import { openCalls } from '../../electron/checkpoints/may-fire.js';
import { load } from '../../electron/checkpoints/records.js';
import { resumeHere } from '../../electron/checkpoints/resume.js';
import type { Ports } from '../../electron/ports.js';
import type { KvStore } from '../../electron/store/contract.js';
import { type Ack, isHandedOver, isOld, runKey } from './acks.js';
import { callArguments, DAY_NS, earlier, fire } from './domain-ports.js';

const never = new AbortController().signal;

/** What a writer does with runs: one act each, its acknowledgement, or null when it was refused. */
export interface RunActs {
  take(run: number): Promise<Ack | null>;
  decide(run: number): Promise<Ack | null>;
  /** Every run of these that can be decided, in one act. */
  decideTogether(runs: readonly number[]): Promise<Ack | null>;
  claim(run: number): Promise<Ack | null>;
  start(run: number): Promise<Ack | null>;
  report(run: number): Promise<Ack | null>;
  complete(run: number): Promise<Ack | null>;
  resume(run: number): Promise<Ack | null>;
  sweep(): Promise<Ack | null>;
}

export function runActs(store: KvStore, ports: Ports, ledger: string): RunActs {
  const { name } = ports.process;
  const tokenOf = (run: number) => `${name} ${run}`;
  const submittedFor = async (run: number): Promise<Submitted | null> => {
    const loaded = await load(store, runKey(run));
    if (!loaded.ok) return null;
    const { revision, record: read, head } = loaded.value;
    const verdicts = openCalls(loaded.value).map(({ index, argumentsSha256 }) => ({
      index,
      argumentsSha256,
      verdict: 'approve' as const,
    }));
    const binding = { revision, resumeStep: read.resumeStep, digest: head.digest };
    return { key: runKey(run), binding, verdicts, repair: false, reviewer: { name } };
  };
  return {
    async take(run) {
      const taken = await takeIn(store, isOld(run) ? earlier(ports, 10n).clock : ports.clock, {
        bytes: record(run),
        source: 'local',
        via: 'inbox',
        route: isHandedOver(run) ? 'handed_over' : 'here',
      });
      return taken.ok ? { t: 'taken', run } : null;
    },
    async decide(run) {
      const submitted = await submittedFor(run);
      const said = submitted === null ? null : await decide(store, ports, submitted);
      return said?.ok ? { t: 'decided', run, decisionId: said.value.decisionId } : null;
    },
    async decideTogether(runs) {
      const submitted = [];
      for (const run of runs) submitted.push({ run, said: await submittedFor(run) });
      const able = submitted.flatMap(({ run, said }) => (said === null ? [] : [{ run, said }]));
      const results = await decideMany(
        store,
        ports,
        able.map(({ said }) => said),
      );
      const decisions = able.flatMap(({ run }, n) => {
        const one = results[n];
        return one?.ok ? [{ run, decisionId: one.value.decisionId }] : [];
      });
      return decisions.length === 0 ? null : { t: 'decided together', decisions };
    },
    async claim(run) {
      const got = await handOver(store, ports, runKey(run), tokenOf(run));
      return got.ok ? { t: 'claimed', run, token: tokenOf(run) } : null;
    },
    async start(run) {
      const begun = await startCall(store, ports, runKey(run), 0, tokenOf(run));
      // The agent acts only after "start" was accepted.
      if (begun.ok) fire(ledger, callArguments(run));
      return begun.ok ? { t: 'started', run, token: tokenOf(run) } : null;
    },
    async report(run) {
      const text = `report of ${name}`;
      const said = await reportCall(store, ports, runKey(run), 0, tokenOf(run), { kind: 'result', text });
      return said.ok ? { t: 'reported', run, token: tokenOf(run), text } : null;
    },
    async complete(run) {
      const said = await complete(store, ports, runKey(run), tokenOf(run), 'over');
      return said.ok ? { t: 'completed', run, token: tokenOf(run) } : null;
    },
    async resume(run) {
      const said = await resumeHere(store, ports, runKey(run), { token: tokenOf(run), stop: never, signal: never });
      return said.ok ? { t: 'resumed', run } : null;
    },
    async sweep() {
      const swept = await sweep(store, ports.clock, { ttl: () => 7n * DAY_NS });
      return swept.reaped > 0 ? { t: 'reaped', count: swept.reaped } : null;
    },
  };
}

/** A klieo record with one call, the same whoever writes it. How old it is, the time of its intake says. */
function record(run: number): Uint8Array {
  const call = `{"id":"c","name":"run_shell","args":${callArguments(run)}}`;
  const long = run % 3 === 0 ? 'y'.repeat(40_000) : '';
  const messages = [
    `{"role":"user","content":"go ${long}","tool_calls":[],"tool_call_id":null}`,
    `{"role":"assistant","content":"","tool_calls":[${call}],"tool_call_id":null}`,
  ];
  return new TextEncoder().encode(
    `{"run_id":"${runKey(run).runId}","step_index":2,"thread_id":"t${run}","messages":[${messages.join(',')}],` +
      `"pending_tool_calls":[${call}],"resume_attempted":false,"created_at":"2026-01-01T00:00:00Z"}`,
  );
}
