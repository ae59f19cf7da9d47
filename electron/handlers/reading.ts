import type { RunDetail, RunRow } from '../../shared/ipc.js';
import { accepted, type Outcome, refused } from '../../shared/refusal.js';
import type { Handlers } from '../answering.js';
import { detailOf } from '../checkpoints/detail.js';
import { wholeHistory } from '../checkpoints/history.js';
import { JOURNALS, suspensionText } from '../checkpoints/keys.js';
import { readJournalMeta } from '../checkpoints/meta.js';
import { readHead, readJournal, readOriginal } from '../checkpoints/records.js';
import { wholeResult } from '../checkpoints/results.js';
import { itemId, unreadableRow } from '../checkpoints/rows.js';
import { readRecord } from '../formats/read-record.js';
import { listAll } from '../listing.js';
import { listRefused, readRefused } from '../refused.js';
import { guarded } from '../store/refusal.js';
import { type Context, listedFor } from './context.js';
import { itemOf, suspensionOf, withSuspension } from './items.js';
import { RecordTexts } from './record-texts.js';

type Reading = Pick<
  Handlers,
  'runs:list' | 'run:open' | 'run:argument' | 'run:message' | 'run:result' | 'run:raw' | 'history:list' | 'app:health'
>;

/** Pieces of long texts, in UTF-16 units. */
const PIECE = 256 * 1024;
const RAW_PIECE = 256 * 1024;
const HISTORY_DEPTH = 2000;

export function reading(context: Context): Reading {
  const { store, ports, runner } = context;
  const texts = new RecordTexts(store);
  return {
    'runs:list': () => guarded(async () => accepted(await allRows(context))),
    'run:open': (id) => guarded(() => open(context, id)),
    'run:argument': (id, call, from) =>
      guarded(() =>
        withSuspension(id, async (key) => {
          const record = await texts.of(key);
          if (!record.ok) return record;
          const text = record.value.pending?.[call]?.arguments;
          return text === undefined
            ? refused('bad_request', `There is no call ${call + 1}.`)
            : piece(text, from, PIECE);
        }),
      ),
    'run:message': (id, index, from) =>
      guarded(() =>
        withSuspension(id, async (key) => {
          const record = await texts.of(key);
          if (!record.ok) return record;
          const text = record.value.messages[index]?.content;
          return text === undefined
            ? refused('bad_request', `There is no message ${index + 1}.`)
            : piece(text, from, PIECE);
        }),
      ),
    'run:result': (id, position, from) =>
      guarded(() =>
        withSuspension(id, async (key) => {
          const journal = (await readJournal(store, key))?.journal;
          const entry = journal && [...journal.calls, ...journal.loop][position];
          return entry
            ? piece(await wholeResult(store, entry), from, PIECE)
            : refused('bad_request', `There is no call ${position + 1} in the journal.`);
        }),
      ),
    'run:raw': (id, from) =>
      guarded(async () => {
        const bytes = await originalOf(context, id);
        return bytes.ok ? piece(asText(bytes.value), from, RAW_PIECE) : bytes;
      }),
    'history:list': () => guarded(async () => accepted(await wholeHistory(store, HISTORY_DEPTH))),
    'app:health': () =>
      guarded(async () => {
        const rows = await allRows(context);
        return accepted({
          dataFolder: context.dataFolder,
          readOnly: store.lookAgain(),
          runs: rows.length,
          unreadable: rows.filter((row) => row.status === 'unreadable').length,
          decidedNotExecuted: rows.filter((row) => row.status === 'decided').length,
          gc: context.gc.report,
          empty: rows.length === 0,
        });
      }),
  };

  async function allRows({ dataFolder }: Context): Promise<RunRow[]> {
    // What the GC removed stays in the list with the word it ended with: nothing vanishes unsaid.
    const found = await listAll(store, ports, dataFolder, { ended: true, waiting: (item) => runner.waitingOf(item) });
    return Promise.all(found.map((row) => (isCutShort(row, context) ? cutShort(row, context) : row)));
  }
}

function piece(text: string, from: number, length: number): Outcome<{ text: string; from: number; length: number }> {
  return accepted({ text: text.slice(from, from + length), from, length: text.length });
}

/** The bytes as text; what is not UTF-8 is shown byte by byte, so that nothing looks like something else. */
function asText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return Array.from(bytes, (byte) =>
      (byte >= 0x20 && byte < 0x7f) || byte === 0x0a
        ? String.fromCharCode(byte)
        : `\\x${byte.toString(16).padStart(2, '0')}`,
    ).join('');
  }
}

/** The original bytes of any item, readable or not. */
export async function originalOf({ store, dataFolder }: Context, id: string): Promise<Outcome<Uint8Array>> {
  const item = itemOf(id);
  if (!item.ok) return item;
  switch (item.value.kind) {
    case 'refused':
      return readRefused(dataFolder, item.value.file);
    case 'quarantined':
      return accepted(await store.readQuarantined(item.value.file));
    case 'suspension': {
      const at = await readHead(store, item.value.key);
      return at ? accepted(await readOriginal(store, at.head)) : refused('not_found', 'This run is gone.');
    }
  }
}

async function open(context: Context, id: string): Promise<Outcome<RunDetail>> {
  const { store, ports, runner } = context;
  const item = itemOf(id);
  if (!item.ok) return item;
  if (item.value.kind === 'suspension') {
    const { key } = item.value;
    const detail = await detailOf(store, ports, key, {
      waiting: (name) => runner.waitingOf(name),
      running: runner.isRunning(key),
      listed: listedFor(context, key.source),
    });
    if (detail.ok)
      return accepted(
        isCutShort(detail.value.row, context)
          ? { ...detail.value, row: await cutShort(detail.value.row, context) }
          : detail.value,
      );
    if (detail.refusal.code !== 'unreadable') return detail;
    return unreadable(context, itemId(suspensionText(key)), suspensionText(key), detail.refusal.text);
  }
  if (item.value.kind === 'quarantined') {
    const { file } = item.value;
    const found = (await store.quarantined()).find((q) => q.file === file);
    return found
      ? unreadable(context, id, found.key ?? file, found.reason)
      : refused('not_found', 'This file is gone.');
  }
  const { file } = item.value;
  const found = (await listRefused(context.dataFolder)).find((entry) => entry.file === file);
  return found
    ? unreadable(context, id, found.originalName, found.reason.text)
    : refused('not_found', 'This file is gone.');
}

/**
 * Claimed to continue here, with nothing unknown, and this window (the only one that continues here, H11) is not at it:
 * a crash came in between, or a person settled its calls since. It moves only when a person says so (I8).
 */
function isCutShort(row: RunRow, { runner }: Context): boolean {
  const key = suspensionOf(row.id);
  return row.status === 'resuming' && key.ok && !runner.isRunning(key.value);
}

async function cutShort(row: RunRow, { store }: Context): Promise<RunRow> {
  const journal = await store.head(JOURNALS, row.id.slice(2));
  const started = journal && readJournalMeta(journal.meta)?.startedAt;
  return {
    ...row,
    status: started ? 'unknown_outcome' : 'not_continued',
    needsPerson: row.snoozedUntil === null || Date.parse(row.snoozedUntil) <= Date.now(),
    note: started
      ? 'A call was started, and what came of it could not be saved; nobody knows whether it ran'
      : `Not continued: ${row.note}, and cut short. Continue goes on, and repeats no call that ran.`,
  };
}

/** The card of a record that cannot be read: its reason and place, its size, and nothing that could be decided. */
async function unreadable(context: Context, id: string, name: string, reason: string): Promise<Outcome<RunDetail>> {
  const bytes = await originalOf(context, id);
  const read = bytes.ok ? readRecord(bytes.value) : null;
  return accepted({
    row: { ...unreadableRow(name, reason), id },
    binding: null,
    refusal:
      read && !read.ok
        ? read.refusal
        : { code: 'unreadable', path: '', offset: null, line: null, column: null, text: reason },
    suspension: null,
    checkpointId: null,
    fileState: 'unreadable',
    size: bytes.ok ? bytes.value.length : 0,
    reason: null,
    warnings: [],
    calls: [],
    hasCallList: false,
    approveBlocked: [reason],
    messages: [],
    decision: null,
    journal: null,
    latch: null,
    waiting: null,
    running: false,
    finalAnswer: null,
    history: [],
    unanswered: [],
  });
}
