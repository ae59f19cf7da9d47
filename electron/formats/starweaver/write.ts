import type { Continued } from '../format.js';
import { jsonObject, jsonText } from '../json-text.js';
import { evidenceText } from './continued-evidence.js';
import { standOf } from './continued-stand.js';
import { stateText } from './continued-state.js';
import { derivedCheckpointId } from './derived-ids.js';
import { ENVELOPE_KEYS, inEnvelope } from './envelope.js';
import { CHECKPOINT } from './names.js';
import { carried, membersWithout, present } from './raw-object.js';
import { CHECKPOINT_KEYS } from './shape.js';
import { viewAgain } from './view.js';

/**
 * The record under a new run id, with a fresh checkpoint id and evidence built from its state as starweaver builds it
 * (S15, S19). Stream cursor, trace context, usage, metadata and unknown keys are carried over as written.
 */
export function writeContinued(bytes: Uint8Array, continued: Continued): Uint8Array {
  const view = viewAgain(bytes);
  const stand = standOf(view, continued);
  const fields = present([
    ['run_id', jsonText(stand.runId)],
    ['conversation_id', jsonText(stand.conversationId)],
    ['node', jsonText(stand.node)],
    ['run_step', String(stand.step)],
    ['resume', evidenceText(view, stand)],
    ['state', stateText(view, stand)],
    ['metadata', carried(view.text, view.payload, 'metadata')],
    ...membersWithout(view.text, view.payload, CHECKPOINT_KEYS),
  ]);
  const id = continued.newCheckpointId ?? derivedCheckpointId(jsonObject(fields));
  const extra = view.envelope === 'v1' ? membersWithout(view.text, view.root, ENVELOPE_KEYS) : [];
  const record = inEnvelope(CHECKPOINT, jsonObject([['checkpoint_id', jsonText(id)], ...fields]), extra);
  return new TextEncoder().encode(record);
}
