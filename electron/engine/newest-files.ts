import { hash } from 'node:crypto';
import type { AuditedKey } from '../store/audit.js';
import type { Head } from '../store/contract.js';
import { KeyTable } from '../store/key-table.js';

/** A clock may be this much ahead of another one; the clean-up tolerates as much. */
const TOLERANCE_MS = 5 * 60_000;
const AT = { revision: 0, listed: 4, state: 5, bytes: 21 } as const;

/** The newest revision of each key as its file tells it: some thirty bytes a key, to hold a listing against. */
export class NewestFiles {
  readonly #now: number;
  readonly #table = new KeyTable(AT.bytes);
  /** Keys whose newest file was written at a time that is still to come, and one of those files. */
  readonly late: { count: number; file: string } = { count: 0, file: '' };
  readonly #buckets = new Set<string>();

  constructor(now: number) {
    this.#now = now;
  }

  get buckets(): readonly string[] {
    return [...this.#buckets];
  }

  /** Only of a key that can be trusted: of any other there is no newest revision to speak of. */
  note({ bucket, key, revisions, forked }: AuditedKey): void {
    this.#buckets.add(bucket);
    const newest = revisions.at(-1);
    const twin = revisions.at(-2)?.revision === newest?.revision;
    if (newest?.header == null || key === null || twin || forked !== null) return;
    const { meta, op } = newest.header;
    const row = this.#table.add(nameOf(bucket, key));
    row.writeUInt32LE(newest.revision, AT.revision);
    stateOf({ meta, deleted: op === 'del' }).copy(row, AT.state);
    if (newest.mtimeMs <= this.#now + TOLERANCE_MS) return;
    this.late.count += 1;
    this.late.file = newest.file;
  }

  /** How a listing's word for a key stands to its file. A newer one was written since. */
  listed(bucket: string, head: Head): 'same' | 'other' | 'unknown' {
    const row = this.#table.get(nameOf(bucket, head.key));
    if (row === null) return 'unknown';
    row.writeUInt8(1, AT.listed);
    const revision = row.readUInt32LE(AT.revision);
    if (head.revision !== revision) return head.revision < revision ? 'other' : 'same';
    return stateOf(head).compare(row, AT.state, AT.bytes) === 0 ? 'same' : 'other';
  }

  /** How many were never listed. */
  get unlisted(): number {
    let count = 0;
    for (const row of this.#table.values()) if (row.readUInt8(AT.listed) === 0) count += 1;
    return count;
  }

  isUnlisted(bucket: string, key: string): boolean {
    return this.#table.get(nameOf(bucket, key))?.readUInt8(AT.listed) === 0;
  }
}

const nameOf = (bucket: string, key: string): string => `${bucket}\0${key}`;

const stateOf = ({ meta, deleted }: Pick<Head, 'meta' | 'deleted'>): Buffer =>
  hash('sha256', `${deleted}\0${meta}`, 'buffer').subarray(0, AT.bytes - AT.state);
