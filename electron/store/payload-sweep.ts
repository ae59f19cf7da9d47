import { join } from 'node:path';
import { attempt } from './faults.js';
import { SHARDS } from './names.js';
import { markNamed } from './payload-marks.js';
import { leavingName, parsePayloadName } from './payload-names.js';
import { keepPayload } from './payloads.js';
import { PAYLOADS, type Volume } from './volume.js';

/** A payload that nothing names stays this long under its own name, and again this long under its leaving name. */
export const PAYLOAD_GRACE_MS = 24 * 3600_000;
/** So many names are held at once: what has more payloads takes more than one look at the records. */
const BATCH = 20_000;

export interface PayloadsSwept {
  /** Got a leaving name: nothing names them, and another sweep has to find the same. */
  leaving: number;
  /** Removed. */
  gone: number;
  /** Why none may go now, or null. */
  doubt: string | null;
}

interface Found {
  folder: string;
  name: string;
  sha256: string;
  leavingSinceMs: number | null;
}

/**
 * Mark and sweep over payloads, in two steps that never share a sweep. First a payload that is old and that nothing
 * names gets a leaving name; a later sweep, whose look at the records began after that, removes it if still nothing names it.
 * A writer looks for the payload's own name after its record is published (see commit), and puts it back: so whatever
 * was acknowledged is either seen by the later look, or lies under its own name again.
 */
export async function sweepPayloads(
  volume: Volume,
  { dryRun, graceMs = PAYLOAD_GRACE_MS, goOn }: { dryRun: boolean; graceMs?: number; goOn(): Promise<boolean> },
): Promise<PayloadsSwept> {
  const swept: PayloadsSwept = { leaving: 0, gone: 0, doubt: null };
  let batch: Found[] = [];
  const settle = async (): Promise<boolean> => {
    const marks = batch.length === 0 ? null : await markNamed(volume, new Set(batch.map(({ sha256 }) => sha256)), goOn);
    if (marks !== null && marks.doubt === null)
      for (const found of batch) step(volume, found, marks.named.has(found.sha256), { dryRun, graceMs, swept });
    swept.doubt = marks?.doubt ?? null;
    const on = batch.length === 0 || (marks !== null && marks.doubt === null);
    batch = [];
    return on;
  };
  for (const shard of SHARDS) {
    batch.push(...candidates(volume, shard, graceMs));
    if (batch.length >= BATCH && !(await settle())) return swept;
    if (!(await goOn())) return swept;
  }
  await settle();
  return swept;
}

function candidates(volume: Volume, shard: string, graceMs: number): Found[] {
  const folder = join(volume.root, PAYLOADS, shard);
  const found: Found[] = [];
  let names: string[] = [];
  attempt(() => {
    names = volume.disk.readdir(folder);
  });
  for (const name of names) {
    const parsed = parsePayloadName(name);
    if (parsed === null || parsed.sha256.slice(0, 2) !== shard) continue;
    attempt(() => {
      const old = parsed.leavingSinceMs !== null || ageOf(volume, join(folder, name)) >= graceMs;
      if (old) found.push({ folder, name, ...parsed });
    });
  }
  return found;
}

/** One payload's next step. Best effort: what could not be done is found again. */
function step(
  volume: Volume,
  { folder, name, sha256, leavingSinceMs }: Found,
  isNamed: boolean,
  { dryRun, graceMs, swept }: { dryRun: boolean; graceMs: number; swept: PayloadsSwept },
): void {
  const { disk } = volume;
  const path = join(folder, name);
  attempt(() => {
    if (isNamed) {
      if (leavingSinceMs !== null && !dryRun && keepPayload(volume, sha256)) disk.unlink(path);
    } else if (leavingSinceMs === null) {
      if (!dryRun) disk.rename(path, join(folder, leavingName(sha256, volume.now())));
      swept.leaving += 1;
    } else if (volume.now() - leavingSinceMs >= graceMs) {
      if (!dryRun) disk.unlink(path);
      swept.gone += 1;
    }
  });
}

const ageOf = (volume: Volume, path: string): number =>
  volume.now() - Number(volume.disk.lstat(path).mtimeNs / 1_000_000n);
