import type { SuspensionKey } from '../../shared/decision.js';
import type { RunDetail } from '../../shared/ipc.js';
import { accepted, type Outcome, refused } from '../../shared/refusal.js';
import type { Handlers } from '../answering.js';
import { asSeenHere } from '../checkpoints/cut-short.js';
import { detailOf } from '../checkpoints/detail.js';
import { wholeHistory } from '../checkpoints/history.js';
import { JOURNALS, suspensionText } from '../checkpoints/keys.js';
import { readHead, readJournal, readOriginal } from '../checkpoints/records.js';
import { wholeResult } from '../checkpoints/results.js';
import { itemId, unreadableRow } from '../checkpoints/rows.js';
import { readRecord } from '../formats/read-record.js';
import { listRefused, readRefused } from '../refused.js';
import { guarded } from '../store/refusal.js';
import { type Context, listedFor } from './context.js';
import { itemOf, withSuspension } from './items.js';
import { RecordTexts } from './record-texts.js';

type Reading = Pick<
  Handlers,
  'run:open' | 'run:argument' | 'run:message' | 'run:result' | 'run:raw' | 'history:list' | 'app:health'
>;

/** Pieces of long texts, in UTF-16 units. */
const PIECE = 256 * 1024;
const RAW_PIECE = 256 * 1024;
const HISTORY_DEPTH = 2000;

export function reading(context: Context): Reading {
  const { store, queue } = context;
  const texts = new RecordTexts(store);
  return {
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
        const { runs, unreadable, decided } = await queue.totals();
        return accepted({
          dataFolder: context.dataFolder,
          readOnly: store.lookAgain(),
          runs,
          unreadable,
          decidedNotExecuted: decided,
          gc: context.gc.report,
          empty: runs === 0 && queue.reading === null,
        });
      }),
  };
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
    if (detail.ok) {
      const journal = (await store.head(JOURNALS, suspensionText(key)))?.meta ?? '';
      const isRunning = (one: SuspensionKey): boolean => runner.isRunning(one);
      const row = asSeenHere(detail.value.row, journal, { key, isRunning, nowMs: Date.now() });
      return accepted({ ...detail.value, row });
    }
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
