import { join } from 'node:path';
import { type Audited, payloadsIn } from '../store/audit.js';
import { attempt } from '../store/faults.js';
import { sha256Hex } from '../store/header.js';
import { KeyTable } from '../store/key-table.js';
import { readWhole } from '../store/read-whole.js';
import { slices } from '../store/slices.js';
import { PAYLOADS } from '../store/volume.js';
import type { Finding } from './finding.js';

/** A younger payload may belong to a record that is being written. */
export const ORPHAN_DAYS = 7;
const DAY = 24 * 3600_000;
const SHA256 = /[0-9a-f]{64}/g;

export const payloadFile = (sha256: string): string => `${PAYLOADS}/${sha256.slice(0, 2)}/${sha256}`;

/** The payloads that were there when the look began, and which of them a record names. */
export class Payloads {
  readonly #table = new KeyTable(1);

  constructor(audited: Audited) {
    for (const sha256 of payloadsIn(audited)) this.#table.add(sha256);
  }

  /** Whatever looks like a payload's name in these bytes. */
  namedIn(body: Uint8Array | null): void {
    if (this.#table.count === 0 || body === null) return;
    for (const [sha256] of Buffer.from(body.buffer, body.byteOffset, body.byteLength)
      .toString('latin1')
      .matchAll(SHA256))
      this.#table.get(sha256)?.writeUInt8(1);
  }

  /** A payload that came since is one that nobody has looked for. */
  isOrphan(sha256: string): boolean {
    return this.#table.get(sha256)?.readUInt8() === 0;
  }
}

/** Every payload matches its name; one that no record names is an orphan. Missing ones are told with their records. */
export async function examinePayloads(audited: Audited, payloads: Payloads): Promise<Finding[]> {
  const { volume } = audited;
  const findings: Finding[] = [];
  const slice = slices();
  let count = 0;
  for (const sha256 of payloadsIn(audited)) {
    count++;
    const path = payloadFile(sha256);
    const place = { what: 'payloads', file: `store/${path}` };
    const wrong = whatIsWrong(audited, sha256);
    if (wrong !== null)
      findings.push({
        ...place,
        level: 'problem',
        text: wrong,
        unreadable: true,
        advice: 'Put back a good copy of the file.',
      });
    else if (payloads.isOrphan(sha256)) {
      const { mtimeNs, size } = volume.disk.lstat(join(volume.root, path));
      const days = (volume.now() - Number(mtimeNs / 1_000_000n)) / DAY;
      const old = days > ORPHAN_DAYS;
      findings.push({
        ...place,
        level: 'warning',
        text: `No record names it (${size} bytes, ${Math.max(0, Math.floor(days))} days old).`,
        advice: old ? '"doctor --mend" removes it.' : `It is left for ${ORPHAN_DAYS} days: a record may be on its way.`,
        ...(old ? { mend: 'payloads' as const } : {}),
      });
    }
    await slice.pass();
  }
  return findings.length > 0 ? findings : [{ level: 'ok', what: 'payloads', text: `${count} match their names.` }];
}

function whatIsWrong({ volume }: Audited, sha256: string): string | null {
  let wrong: string | null = null;
  const error = attempt(() => {
    const bytes = readWhole(volume.disk, join(volume.root, payloadFile(sha256)));
    if (sha256Hex(bytes) !== sha256)
      wrong = `It was altered or cut: it does not match its name (${bytes.length} bytes).`;
  });
  return error === null ? wrong : `It cannot be read: ${String(error)}.`;
}
