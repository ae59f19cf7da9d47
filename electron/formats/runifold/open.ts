import type { ReadRefusal } from '../../../shared/checkpoint.js';
import { type DuplicateKey, type JsonNode, readJson } from '../../../shared/json.js';
import { refusalAt, refusalOf } from '../refuse-record.js';
import { readStruct, type StructResult } from '../struct.js';
import { AGENT_OPAQUE, AgentCheckpoint, type AgentState } from './agent-shape.js';
import { type Envelope, readEnvelope } from './envelope.js';
import { parseUuid } from './uuid.js';
import { WORKFLOW_OPAQUE, WorkflowCheckpoint, type WorkflowState } from './workflow-shape.js';

interface Opened {
  text: string;
  root: JsonNode;
  /** Those below the payload: runifold takes the last (J5). */
  duplicates: readonly DuplicateKey[];
  envelope: Envelope;
}
export type AgentDocument = Opened & { kind: 'agent'; state: AgentState };
export type WorkflowDocument = Opened & { kind: 'workflow'; state: WorkflowState };
export type CheckpointDocument = AgentDocument | WorkflowDocument;

/** A checkpoint with its payload decoded; refused is what runifold's own reader refuses, with field and place (H5). */
export function openCheckpoint(
  bytes: Uint8Array,
): { ok: true; document: CheckpointDocument } | { ok: false; refusal: ReadRefusal } {
  const document = readJson(bytes);
  if (!document.ok) return { ok: false, refusal: refusalOf(document.fault) };
  const { text, root, duplicates } = document;
  const repeated = duplicates.filter((duplicate) => duplicate.path === '');
  const [first] = repeated;
  if (first !== undefined) {
    const words = repeated.map((duplicate) => duplicate.text).join('; ');
    return {
      ok: false,
      refusal: { ...refusalOf(first), text: `line ${first.line}, column ${first.column}: ${words}` },
    };
  }
  const envelope = readEnvelope(document);
  if (!envelope.ok) return envelope;
  const opened: Opened = { text, root, duplicates, envelope: envelope.value };
  if (envelope.value.kind === 'runifold.agent') {
    const struct = invalidPayload(readStruct(AgentCheckpoint, document, AGENT_OPAQUE));
    if (!struct.ok) return struct;
    const state = struct.value.payload;
    const durable = state.durable_conversation;
    if (durable !== null && parseUuid(durable.conversation_id) === null)
      return noUuid(opened, ['payload', 'durable_conversation', 'conversation_id']);
    return { ok: true, document: { ...opened, kind: 'agent', state } };
  }
  const struct = invalidPayload(readStruct(WorkflowCheckpoint, document, WORKFLOW_OPAQUE));
  if (!struct.ok) return struct;
  const state = struct.value.payload;
  const wait = state.phase.state === 'waiting' ? state.phase.wait : null;
  if (wait?.kind === 'interrupt') {
    const id = parseUuid(wait.request.interrupt_id);
    if (id === null) return noUuid(opened, ['payload', 'phase', 'wait', 'request', 'interrupt_id']);
    wait.request.interrupt_id = id;
  }
  return { ok: true, document: { ...opened, kind: 'workflow', state } };
}

/** The same for a record that was read before; an unreadable one is a fault of the caller. */
export function reopen(bytes: Uint8Array): CheckpointDocument {
  const opened = openCheckpoint(bytes);
  if (!opened.ok) throw new Error(`not a readable runifold record: ${opened.refusal.text}`);
  return opened.document;
}

/** runifold's name for a payload that does not fit (R2), and its words for a field that is not there. */
function invalidPayload<T>(result: StructResult<T>): StructResult<T> {
  if (result.ok) return result;
  const { code, path, text } = result.refusal;
  const upstream = code === 'missing_field' ? `missing field \`${path.split('.').at(-1) ?? path}\`: ` : '';
  const named = text.replace(/^line \d+, column \d+: /, (place) => `${place}InvalidPayload: ${upstream}`);
  return { ok: false, refusal: { ...result.refusal, text: named } };
}

function noUuid({ text, root }: Opened, path: string[]): { ok: false; refusal: ReadRefusal } {
  return {
    ok: false,
    refusal: refusalAt(text, root, path, 'bad_id', `InvalidPayload: ${path.join('.')} is no UUID`),
  };
}
