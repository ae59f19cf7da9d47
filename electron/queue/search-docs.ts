import type { NormalRecord } from '../../shared/checkpoint.js';
import { maskSecrets } from '../../shared/mask.js';
import { parseSuspension } from '../checkpoints/keys.js';
import { readHead, readOriginal } from '../checkpoints/records.js';
import { readRecord } from '../formats/read-record.js';
import type { KvStore } from '../store/contract.js';
import { partsOf } from './field-search.js';

/** Of one record, so many UTF-16 units of text are read into the search. */
const MOST_TEXT = 4 * 1024 * 1024;

/** What a record is found by: tools, arguments, conversation, and the names that it is known by. */
function* textsOf(record: NormalRecord): Iterable<string> {
  for (const name of [record.runId, record.threadId, record.checkpointId]) if (name !== null) yield name;
  for (const call of record.pending ?? []) {
    yield call.name;
    yield call.arguments;
  }
  for (const message of record.messages) {
    yield message.content;
    for (const call of message.toolCalls) {
      yield call.name;
      yield call.arguments;
    }
  }
}

function* partsOfRecord(record: NormalRecord): Iterable<string> {
  let left = MOST_TEXT;
  for (const text of textsOf(record)) {
    if (left <= 0) return;
    // A secret that is masked wherever it is shown is found nowhere, and does not stand in the index.
    yield* partsOf(maskSecrets(text.slice(0, left)));
    left -= text.length;
  }
}

/** The parts of a suspension's record, or null when it cannot be read now: it is asked for again when it changes. */
export async function partsOfSuspension(store: KvStore, name: string): Promise<Iterable<string> | null> {
  const key = parseSuspension(name);
  if (key === null) return null;
  try {
    const at = await readHead(store, key);
    if (at === null) return null;
    const read = readRecord(await readOriginal(store, at.head));
    return read.ok ? partsOfRecord(read.record) : null;
  } catch {
    // A record that cannot be trusted is listed with its reason; nothing of it is looked for.
    return null;
  }
}
