import type { NormalRecord, PendingCall } from '../../../shared/checkpoint.js';
import type { ReadResult } from '../format.js';
import { textDigest } from '../text-digest.js';
import { readHistory } from './history.js';
import { orderOf } from './lineage.js';
import { textOf } from './nodes.js';
import type { View } from './parsed-view.js';
import { evidenceFaults, type PendingItem, pendingItems } from './pending.js';
import { questionsOf } from './question.js';
import { standingOf, stepOf } from './state.js';
import { viewOf } from './view.js';
import { starweaverWarnings } from './warnings.js';

/** A starweaver checkpoint in the normal form; refused where its own reader or its own facts refuse it (H5, S1, S11). */
export function readStarweaver(bytes: Uint8Array): ReadResult {
  const viewed = viewOf(bytes);
  return viewed.ok ? { ok: true, record: normalRecord(viewed.view) } : viewed;
}

function normalRecord(view: View): NormalRecord {
  const runId = textOf(view.payload, 'run_id') ?? '';
  const items = pendingItems(view);
  const faults = evidenceFaults(runId, items, view.text);
  const history = readHistory(view);
  const pending = items.map(pendingCall);
  const { state, classification, about } = standingOf(view, items, history);
  const completedStep = stepOf(view);
  return {
    system: 'starweaver',
    runId,
    checkpointId: textOf(view.payload, 'checkpoint_id'),
    threadId: textOf(view.payload, 'conversation_id'),
    revision: null,
    createdAt: null,
    createdAtNs: null,
    updatedAt: null,
    completedStep,
    resumeStep: completedStep + 1,
    state,
    resumable: state === 'waiting' && faults.length === 0,
    pending,
    messages: history.messages,
    warnings: starweaverWarnings({ view, history, items, pending, faults }),
    classification,
    about,
    order: orderOf(view),
  };
}

function pendingCall(item: PendingItem, index: number): PendingCall {
  return {
    index,
    id: item.callId,
    name: item.name,
    arguments: item.arguments,
    argumentsSha256: textDigest(item.arguments),
    paths: [...new Set([item.path, item.argumentsPath])],
    ...(item.needs === 'result' ? { needs: 'result' } : {}),
    ...(questionsOf(item.name, item.arguments) === null || item.needs === 'result'
      ? {}
      : { needs: 'result', question: true }),
  };
}
