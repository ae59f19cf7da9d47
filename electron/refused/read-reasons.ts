import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { REASON_ENDING } from './names.js';
import { type Reason, readReason } from './reason.js';

const LARGEST = 1024 * 1024;

interface Known {
  stamp: string;
  reason: Reason | null;
}

/** By folder, then by refused file: what was read before, for as long as the reason file did not change. */
const known = new Map<string, Map<string, Known>>();

/** The reason beside a refused file; null when there is none of ours. */
export async function reasonBeside(folder: string, file: string): Promise<Reason | null> {
  const path = join(folder, `${file}${REASON_ENDING}`);
  const stat = await lstat(path, { bigint: true }).catch(() => null);
  if (!stat?.isFile() || stat.size > LARGEST) return null;
  const stamp = `${stat.ino}:${stat.mtimeNs}:${stat.size}`;
  const reasons = known.get(folder) ?? new Map<string, Known>();
  known.set(folder, reasons);
  const before = reasons.get(file);
  if (before?.stamp === stamp) return before.reason;
  const content = await readFile(path, 'utf8').catch(() => null);
  const reason = content === null ? null : readReason(content);
  if (content !== null) reasons.set(file, { stamp, reason });
  return reason;
}

/** Forgets the reasons of all other files. */
export function keepReasons(folder: string, files: ReadonlySet<string>): void {
  const reasons = known.get(folder);
  for (const file of [...(reasons?.keys() ?? [])]) if (!files.has(file)) reasons?.delete(file);
}
