import type { SuspensionKey } from '../../shared/decision.js';
import type { Journal } from '../../shared/journal.js';
import { accepted, type Outcome } from '../../shared/refusal.js';
import type { Continued, EndedCall } from '../formats/format.js';
import type { Ports } from '../ports.js';
import type { KvStore } from '../store/contract.js';
import { keepEvidence } from './evidence.js';
import { suspensionsOf, takeIn } from './intake.js';
import { type RunKey, runMark, runText } from './keys.js';
import type { Plan } from './may-fire.js';
import { type Loaded, readHead, readOriginal } from './records.js';

/** How each pending call ended, for a system whose answers say it (starweaver S14). */
export function endedCalls(plan: Plan, journal: Journal): EndedCall[] {
  return plan.calls.map((planned): EndedCall => {
    const { index } = planned.call;
    const by = plan.decision?.reviewer.name;
    const rejected = (reason: string): EndedCall => ({
      index,
      how: 'rejected',
      reason,
      ...(by === undefined ? {} : { by }),
    });
    if (planned.kind === 'reject') return rejected(planned.reason);
    if (planned.kind === 'answer' && planned.answer.status === 'cancelled') return rejected(planned.answer.text);
    const failed =
      planned.kind === 'answer'
        ? planned.answer.status === 'failed'
        : journal.calls.find((call) => call.index === index)?.state === 'failed';
    return { index, how: failed ? 'failed' : 'done' };
  });
}

/** Would the system's own rules let a next record be written? Asked before the claim (R1, Cyrene's rows). */
export async function mayWriteNext(store: KvStore, loaded: Loaded): Promise<Outcome<null>> {
  const { format, bytes } = loaded;
  return format.mayContinue ? format.mayContinue(bytes, await othersOf(store, loaded)) : accepted(null);
}

/** Writes the next record in the system's own form and takes it in: the same bytes again are the same suspension. */
export async function keepNext(
  store: KvStore,
  ports: Ports,
  loaded: Loaded,
  continued: Continued,
  reason: string | null,
): Promise<Outcome<SuspensionKey>> {
  const { format, bytes, key } = loaded;
  const written = format.writeContinued(bytes, continued);
  const may = format.mayContinue?.(bytes, await othersOf(store, loaded), written);
  if (may && !may.ok) return may;
  const { source } = key;
  const arrival = { bytes: written, source, via: 'continued' as const, route: 'here' as const, reason, continues: key };
  const taken = await takeIn(store, ports.clock, arrival);
  return taken.ok ? accepted(taken.value.key) : taken;
}

/**
 * Keeps the record of a run that ended, where its system has one. A refusal changes nothing about the end: it is kept as
 * evidence, with the answer in the journal.
 */
export async function keepFinished(
  store: KvStore,
  ports: Ports,
  loaded: Loaded,
  continued: Continued,
): Promise<SuspensionKey | null> {
  if (!loaded.format.keepsFinished) return null;
  const kept = await keepNext(store, ports, loaded, continued, null);
  if (kept.ok) return kept.value;
  await keepEvidence(store, ports, {
    kind: 'record_not_written',
    suspension: loaded.key,
    by: null,
    text: `The finished record was not written: ${kept.refusal.text}`,
    facts: { code: kept.refusal.code, ...kept.refusal.facts },
  });
  return null;
}

/** What came of a suspension by its resume, whether or not its journal says so already; null when nothing did. */
export async function successorOf(
  store: KvStore,
  { key, format, bytes }: Pick<Loaded, 'key' | 'format' | 'bytes'>,
): Promise<SuspensionKey | null> {
  const run: RunKey = { ...key, runId: format.nextRunId?.(bytes) ?? key.runId };
  const other = run.runId === key.runId ? undefined : runMark(key);
  const found = (await suspensionsOf(store, run)).find(({ meta }) => meta?.co === key.seq && meta.cr === other);
  return found ? { ...run, seq: found.seq } : null;
}

/** The key of the short-term memory: of the run, or of its checkpoint where one run may have several (R1). */
export function memoryKey({ key, record }: Loaded): string {
  return record.revision !== null && record.checkpointId !== null
    ? `${runText(key)}#${record.checkpointId}`
    : runText(key);
}

async function othersOf(store: KvStore, { key }: Loaded): Promise<Uint8Array[]> {
  const others: Uint8Array[] = [];
  for (const { seq, deleted } of await suspensionsOf(store, key)) {
    if (deleted || seq === key.seq) continue;
    const at = await readHead(store, { ...key, seq });
    if (at) others.push(await readOriginal(store, at.head));
  }
  return others;
}
