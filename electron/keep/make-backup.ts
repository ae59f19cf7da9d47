import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { MEMORY } from '../agent/memory.js';
import { Evidence } from '../checkpoints/evidence.js';
import { EVIDENCE, HEADS, NEIGHBOURS, parseSuspension, runText, SEALS, suspensionText } from '../checkpoints/keys.js';
import { type Audited, type AuditedKey, bodyOf, bucketsIn, keysIn, namedIn, payloadsIn } from '../store/audit.js';
import { StoreCorrupt } from '../store/contract.js';
import { KeyTable } from '../store/key-table.js';
import { readPayload } from '../store/payloads.js';
import { readWhole } from '../store/read-whole.js';
import { slices } from '../store/slices.js';
import { STORE_FILE } from '../store/volume.js';
import { BACKUP_FORMAT, type BackupRecord, type BackupStart } from './backup-lines.js';
import { type SideFile, sideFiles, waitingFiles } from './side-files.js';
import { checkStopped, type UnderWay } from './under-way.js';

export interface BackupPlan extends UnderWay {
  by: string;
  madeAt: string;
  /** Suspensions by their keys; null: everything. */
  chosen: ReadonlySet<string> | null;
  /** The folder around the store: with everything, what lies beside the store is in it, too. */
  dataFolder: string;
}

export interface BackupCount {
  records: number;
  payloads: number;
  files: number;
  /** Files that cannot be read and are not in it; those of the store below the store's folder. */
  left: string[];
}

const PIECE = 1024 * 1024;
const SHA256 = /[0-9a-f]{64}/g;
/** Others may write meanwhile; what they wrote is added until a look finds nothing new, this often at most. */
const LOOKS = 5;

/**
 * A store as one text, line by line: every revision of every record, the payloads they name, and a checksum of the whole.
 * Files are read as they are and never changed, so that a run's head, decision and journal are never of different times
 * for good: what was written meanwhile is in it, too.
 */
export async function* makeBackup(
  audited: Audited,
  plan: BackupPlan,
  counted: (count: BackupCount) => void,
): AsyncGenerator<string> {
  const { volume, file } = audited;
  if (file === null) throw new StoreCorrupt(`${volume.root} has no STORE.json; take it over first.`);
  const sum = createHash('sha256');
  const count: BackupCount = { records: 0, payloads: 0, files: 0, left: [] };
  // Only a selection asks which payloads are named.
  const named = new Set<string>();
  const steps = stepsOf(audited, plan);
  const slice = slices();
  const out = (value: unknown): string => {
    const line = `${JSON.stringify(value)}\n`;
    sum.update(line);
    return line;
  };
  yield out({
    holdpoint: 'backup',
    format: BACKUP_FORMAT,
    madeAt: plan.madeAt,
    by: plan.by,
    storeId: file.storeId,
    store: Buffer.from(readWhole(volume.disk, join(volume.root, STORE_FILE))).toString('utf8'),
    chosen: plan.chosen === null ? null : [...plan.chosen],
  } satisfies BackupStart);
  // First of all: a file that is taken in while the records are read is found among them.
  yield* beside(waitingFiles(plan.dataFolder));
  const done = new KeyTable(0);
  for (let look = 0; look < LOOKS; look++) {
    const before = count.records;
    for (const bucket of inOrder(bucketsIn(audited)))
      for (const key of keysIn(audited, bucket)) {
        await slice.pass();
        if (look === 0) steps.next();
        checkStopped(plan);
        if (!isChosen(audited, key, plan.chosen)) continue;
        for (const revision of key.revisions) {
          if (done.get(revision.file) !== null) continue;
          done.add(revision.file);
          const body = revision.header === null ? null : bodyOf(audited, key, revision);
          if (revision.header === null || body === null) {
            count.left.push(revision.file);
            continue;
          }
          for (const [sha256] of plan.chosen === null ? [] : Buffer.from(body).toString('latin1').matchAll(SHA256))
            named.add(sha256);
          const place = `k/${bucket}/${key.shard}/${key.enc}.${String(revision.revision).padStart(10, '0')}.json`;
          yield out({
            t: 'record',
            file: place,
            line: revision.line,
            ...asText(body),
          } satisfies BackupRecord);
          count.records++;
        }
      }
    if (count.records === before) break;
  }
  for (const sha256 of payloadsIn(audited)) {
    await slice.pass();
    steps.next();
    checkStopped(plan);
    if (plan.chosen !== null && !named.has(sha256)) continue;
    const bytes = payloadOf(audited, sha256);
    if (bytes === null) {
      count.left.push(`p/${sha256.slice(0, 2)}/${sha256}`);
      continue;
    }
    count.payloads++;
    const of = Math.max(1, Math.ceil(bytes.length / PIECE));
    for (let part = 0; part < of; part++) {
      const piece = Buffer.from(bytes.subarray(part * PIECE, (part + 1) * PIECE)).toString('base64');
      yield out({ t: 'payload', sha256, part, of, base64: piece });
    }
  }
  yield* beside(sideFiles(plan.dataFolder));
  counted(count);
  yield `${JSON.stringify({ t: 'end', records: count.records, payloads: count.payloads, files: count.files, sha256: sum.digest('hex') })}\n`;

  /** Only a backup of everything has what lies beside the store. */
  async function* beside(files: Iterable<SideFile>): AsyncGenerator<string> {
    if (plan.chosen !== null) return;
    for (const { file, bytes } of files) {
      await slice.pass();
      checkStopped(plan);
      if (bytes === null) {
        count.left.push(file);
        continue;
      }
      count.files++;
      const of = Math.max(1, Math.ceil(bytes.length / PIECE));
      for (let part = 0; part < of; part++) {
        const piece = Buffer.from(bytes.subarray(part * PIECE, (part + 1) * PIECE)).toString('base64');
        yield out({ t: 'file', file, part, of, base64: piece });
      }
    }
  }
}

/** Tells how many of all keys and payloads were gone through. Their names are counted first; that reads no record. */
function stepsOf(audited: Audited, { progress }: BackupPlan): { next(): void } {
  if (progress === undefined) return { next: () => undefined };
  let all = 0;
  let done = 0;
  for (const bucket of bucketsIn(audited)) for (const _ of namedIn(audited, bucket)) all += 1;
  for (const _ of payloadsIn(audited)) all += 1;
  return {
    next: () => {
      done += 1;
      progress(Math.min(done, all), all);
    },
  };
}

/** Heads before what is decided and done with them: a copy never says that nothing was claimed when it was. */
function inOrder(buckets: readonly string[]): string[] {
  return [...buckets].sort((a, b) => Number(b === HEADS) - Number(a === HEADS));
}

function asText(body: Uint8Array): { body: string } | { base64: string } {
  try {
    return { body: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body) };
  } catch {
    return { base64: Buffer.from(body).toString('base64') };
  }
}

/** A selection takes with a suspension what belongs to its run; seals stand for the whole and go with nothing less. */
function isChosen(audited: Audited, key: AuditedKey, chosen: ReadonlySet<string> | null): boolean {
  if (chosen === null) return true;
  if (key.key === null || key.bucket === SEALS) return false;
  if (key.bucket === EVIDENCE) {
    const [only] = key.revisions;
    const about = only === undefined ? null : suspensionOf(bodyOf(audited, key, only));
    return about !== null && chosen.has(about);
  }
  if (key.bucket === NEIGHBOURS || key.bucket === MEMORY)
    return [...chosen].some((name) => {
      const suspension = parseSuspension(name);
      return suspension !== null && (runText(suspension) === key.key || name === key.key);
    });
  return chosen.has(key.key);
}

function suspensionOf(body: Uint8Array | null): string | null {
  try {
    const evidence = Evidence.safeParse(JSON.parse(new TextDecoder().decode(body ?? new Uint8Array())));
    return evidence.data?.suspension ? suspensionText(evidence.data.suspension) : null;
  } catch {
    return null;
  }
}

function payloadOf({ volume }: Audited, sha256: string): Uint8Array | null {
  try {
    return readPayload(volume, sha256);
  } catch {
    return null; // Altered: the doctor names it, and a backup holds nothing that is not what it says.
  }
}
