import { expect, test } from 'vitest';
import { sweep } from '../../electron/checkpoints/gc.js';
import { complete, handOver, reportCall, startCall } from '../../electron/checkpoints/handover.js';
import { DECISIONS, HEADS, suspensionText } from '../../electron/checkpoints/keys.js';
import { claimDigest } from '../../electron/checkpoints/latch.js';
import { readDecision, readHead, readJournal } from '../../electron/checkpoints/records.js';
import type { Disk } from '../../electron/store/disk.js';
import { openStore } from '../../electron/store/file-store.js';
import type { FileStore } from '../../electron/store/opened-store.js';
import type { SuspensionKey } from '../../shared/decision.js';
import { copyOf, crashStates } from '../helpers/store-crash-states.js';
import { host } from '../helpers/store-folder.js';
import { MemoryDisk } from '../helpers/store-memory-disk.js';
import { klieoRecord, unwrap, World } from '../helpers/world.js';

const DAY_NS = 24n * 3_600_000_000_000n;
const open = (disk: Disk) =>
  openStore('/data/store', { disk, host: host(), ballastBytes: 0, platform: 'linux', keepAll: [DECISIONS] });
const runId = (n: number) => `01K0QZ6V5M3H8D7N2B4C9F1X0${n}`;
const keyOf = (n: number): SuspensionKey => ({ system: 'klieo', source: 'local', seq: 1, runId: runId(n) });
const record = (n: number) =>
  klieoRecord({ runId: runId(n), calls: [{ id: 'c', name: 'run_shell', args: `{"n":${n}}` }] });

type Step = 'taken' | 'decided' | 'claimed' | 'started' | 'reported' | 'completed' | 'reaped';

/** The life of one run to its end, and of another until it is reaped, each step acknowledged on the disk's own log. */
async function live(
  cheat: (disk: MemoryDisk) => Disk,
): Promise<{ start: MemoryDisk; ran: MemoryDisk; decisionId: string }> {
  const start = new MemoryDisk();
  const first = new World({}, await open(start));
  await first.put(record(9));
  await first.put(record(8), { route: 'handed_over' });
  start.settle();
  const ran = copyOf(start);
  const store = await open(cheat(ran));
  const world = new World({}, store);
  const ack = (step: Step) => ran.ack(step);
  await world.put(record(1), { route: 'handed_over' });
  ack('taken');
  const { decisionId } = unwrap(await world.decide(keyOf(1), ['approve']));
  ack('decided');
  unwrap(await handOver(store, world.ports, keyOf(1), 'mine'));
  ack('claimed');
  unwrap(await startCall(store, world.ports, keyOf(1), 0, 'mine'));
  ack('started');
  unwrap(await reportCall(store, world.ports, keyOf(1), 0, 'mine', { kind: 'result', text: 'done' }));
  ack('reported');
  unwrap(await complete(store, world.ports, keyOf(1), 'mine', 'over'));
  ack('completed');
  world.now += 8n * DAY_NS;
  // Two are old enough and nobody has decided them; the completed one goes, too.
  const swept = await sweep(store, world.ports.clock, { ttl: () => 7n * DAY_NS });
  expect(swept.reaped).toBeGreaterThanOrEqual(2);
  ack('reaped');
  return { start, ran, decisionId };
}

interface Findings {
  states: number;
  lost: string[];
  torn: string[];
}

/** Cuts the power after every call of the disk, and looks at everything that it could leave. */
async function explore(
  { start, ran, decisionId }: Awaited<ReturnType<typeof live>>,
  stopAt: 'lost' | 'torn' | null,
): Promise<Findings> {
  const findings: Findings = { states: 0, lost: [], torn: [] };
  const replay = copyOf(start);
  const acked = new Set<Step>();
  for (const entry of ran.log) {
    if (typeof entry !== 'function') acked.add(entry.ack as Step);
    else {
      try {
        entry(replay);
      } catch {
        // It failed the first time, too.
      }
    }
    for (const state of crashStates(replay)) {
      findings.states += 1;
      await check(state, acked, decisionId, findings);
      if (stopAt !== null && findings[stopAt].length > 0) return findings;
    }
  }
  return findings;
}

async function check(
  state: MemoryDisk,
  acked: ReadonlySet<Step>,
  decisionId: string,
  findings: Findings,
): Promise<void> {
  const store = await open(state);
  try {
    if ((await store.quarantined()).length > 0) findings.torn.push('quarantined');
    findings.lost.push(...(await lostOf(store, acked, decisionId)));
  } catch (error) {
    findings.torn.push(String(error));
  }
  await store.close();
}

/** What was acknowledged and is not there, and what is there without what has to come before it. */
async function lostOf(store: FileStore, acked: ReadonlySet<Step>, decisionId: string): Promise<string[]> {
  const lost: string[] = [];
  const need = (held: boolean, what: string) => {
    if (!held) lost.push(what);
  };
  if (acked.has('reaped')) {
    for (const n of [8, 9]) {
      const head = await store.head(HEADS, suspensionText(keyOf(n)));
      need(head?.deleted === true, `the tombstone of ${n}`);
    }
    return lost;
  }
  const at = await readHead(store, keyOf(1));
  const decision = await readDecision(store, keyOf(1));
  const journal = (await readJournal(store, keyOf(1)))?.journal;
  const call = journal?.calls[0];
  // While it is being reaped it may be gone already; before, it may not.
  if (at === null && acked.has('completed')) return lost;
  if (acked.has('taken')) need(at !== null, 'the run');
  if (acked.has('decided')) {
    need(decision.kind === 'decision' && decision.decision.decisionId === decisionId, 'the decision');
  }
  if (acked.has('claimed')) need(at?.head.latch?.claim === claimDigest('mine') && journal !== undefined, 'the claim');
  if (acked.has('started')) need(call !== undefined && call.state !== 'not_started', 'the start');
  if (acked.has('reported')) need(call?.state === 'done' && call.result === 'done', 'the report');
  if (acked.has('completed')) need(journal?.continuation.state === 'completed', 'the end');
  // Whatever was cut off: no claim without its decision, no journal without its claim.
  if (at?.head.latch) need(decision.kind === 'decision', 'the decision under a latch');
  if (journal !== undefined) need(at !== null && at.head.latch !== null, 'the latch under a journal');
  // Nobody else gets what was claimed.
  if (acked.has('claimed')) {
    const other = await handOver(store, new World({}, store).ports, keyOf(1), 'theirs');
    need(!other.ok, 'the one claim');
  }
  return lost;
}

function withoutSync(disk: MemoryDisk, kind: 'file' | 'folder'): Disk {
  return {
    ...disk,
    fsync: (fd) => {
      if (disk.fstat(fd).kind !== kind) disk.fsync(fd);
    },
  };
}

test('guarantees 1, 2 and 5: whatever a power cut leaves of decide, claim, journal and reap, what was acknowledged is there, in order', async () => {
  const findings = await explore(await live((disk) => disk), null);
  expect(findings).toMatchObject({ lost: [], torn: [] });
  expect(findings.states).toBeGreaterThan(200);
}, 240_000);

test('guarantee 2: without the sync of the file the explorer finds torn records of the domain', async () => {
  const findings = await explore(await live((disk) => withoutSync(disk, 'file')), 'torn');
  expect(findings.torn.length).toBeGreaterThan(0);
}, 60_000);

test('guarantee 1: without the sync of the folder the explorer finds lost acts of the domain', async () => {
  const findings = await explore(await live((disk) => withoutSync(disk, 'folder')), 'lost');
  expect(findings.lost.length).toBeGreaterThan(0);
}, 60_000);
