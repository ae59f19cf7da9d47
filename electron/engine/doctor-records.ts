import { MEMORY } from '../agent/memory.js';
import { recordDigest } from '../checkpoints/digest.js';
import {
  DECISIONS,
  DESK,
  EVIDENCE,
  HEADS,
  JOURNALS,
  NEIGHBOURS,
  parseSuspension,
  SEALS,
  SWEEPS,
} from '../checkpoints/keys.js';
import { load, readDecision, readJournal } from '../checkpoints/records.js';
import type { KvStore } from '../store/contract.js';
import type { Finding } from './finding.js';

const PAGE = 256;
const ASIDE =
  'It is never decided on, overwritten or removed. "doctor --export FOLDER" copies it out; put back a good copy of the file, or leave it.';

/** Reads every key as it is read before a claim, and names each that would be refused there; then what is quarantined. */
export async function examineRecords(store: KvStore): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const bucket of [HEADS, DECISIONS, JOURNALS, EVIDENCE, NEIGHBOURS, DESK, MEMORY, SWEEPS, SEALS])
    findings.push(...(await examineBucket(store, bucket)));
  for (const one of await store.quarantined())
    findings.push({
      level: 'problem',
      what: one.bucket || 'records',
      text: `${one.key ?? one.file}: ${one.reason} (${one.size} bytes)`,
      file: `store/${one.file}`,
      advice: ASIDE,
      unreadable: true,
    });
  return findings;
}

async function examineBucket(store: KvStore, bucket: string): Promise<Finding[]> {
  const problems: Finding[] = [];
  let count = 0;
  try {
    for (let cursor: string | null = null; ; ) {
      const page = await store.keysPage(bucket, cursor, PAGE);
      for (const { key } of page.heads) {
        count++;
        const wrong = await whatIsWrong(store, bucket, key);
        if (wrong !== null) problems.push({ level: 'problem', what: bucket, text: `${key}: ${wrong}` });
      }
      if (page.next === null) break;
      cursor = page.next;
    }
  } catch (error) {
    problems.push({ level: 'problem', what: bucket, text: `The listing failed: ${wordsOf(error)}` });
  }
  return problems.length > 0 ? problems : [{ level: 'ok', what: bucket, text: `${count} can be read.` }];
}

async function whatIsWrong(store: KvStore, bucket: string, name: string): Promise<string | null> {
  const key = parseSuspension(name);
  try {
    if (bucket === HEADS) {
      if (key === null) return 'this is no name of a suspension';
      const loaded = await load(store, key);
      if (!loaded.ok) return loaded.refusal.text;
      const { record, bytes, head } = loaded.value;
      const digest = recordDigest({ system: record.system, runId: record.runId, resumeStep: record.resumeStep, bytes });
      return digest === head.digest ? null : 'its bytes are not those that were taken in';
    }
    if (bucket === DECISIONS && key !== null) await readDecision(store, key);
    else if (bucket === JOURNALS && key !== null) await readJournal(store, key);
    else await store.get(bucket, name);
    return null;
  } catch (error) {
    return wordsOf(error);
  }
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
