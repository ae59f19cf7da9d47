import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { HistoryEvent } from '../../shared/history-event.js';
import { type HistoryFilter, matchesFilter } from '../../shared/history-filter.js';
import { beginningOf, type HistoryFormat, lineOf } from './history-text.js';

/** The text of an export, piece by piece, and how many events were in it so far. */
export async function* historyText(
  events: AsyncIterable<readonly HistoryEvent[]>,
  filter: HistoryFilter,
  format: HistoryFormat,
  counted: (events: number) => void,
): AsyncGenerator<string> {
  let count = 0;
  yield beginningOf(format);
  for await (const some of events) {
    const shown = some.filter((event) => matchesFilter(event, filter));
    count += shown.length;
    if (shown.length > 0) yield shown.map((event) => lineOf(event, format)).join('');
  }
  counted(count);
}

/** Writes a text to a file, whole or not at all; what stands there is only replaced with `replace`. Throws the disk's error. */
export async function writeWhole(
  path: string,
  parts: AsyncIterable<string | Uint8Array>,
  { replace }: { replace: boolean },
): Promise<void> {
  // Without `replace` the final name itself is made, exclusively: nobody's file is written over.
  const temp = replace ? `${path}.${process.pid}.tmp` : path;
  try {
    await pipeline(Readable.from(parts), createWriteStream(temp, { flags: 'wx', mode: 0o600, flush: true }));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) await rm(temp, { force: true });
    throw error;
  }
  if (replace) await rename(temp, path);
}
