import type { Message, NormalRecord, PendingCall } from '../../../shared/checkpoint.js';
import { type JsonNode, raw, readJson } from '../../../shared/json.js';
import { parseUlid } from '../../../shared/run-id.js';
import { formatNs, parseTime } from '../../../shared/time.js';
import type { ReadResult } from '../format.js';
import { refusalAt, refusalOf } from '../refuse-record.js';
import { readStruct } from '../struct.js';
import { textDigest } from '../text-digest.js';
import { isStructPath, OPAQUE, RunCheckpoint } from './shape.js';
import { klieoWarnings } from './warnings.js';

/** A klieo record in the normal form. Whatever klieo's own reader refuses is refused, with field and place (H5). */
export function readKlieo(bytes: Uint8Array): ReadResult {
  const document = readJson(bytes);
  if (!document.ok) return { ok: false, refusal: refusalOf(document.fault) };
  const { text, root, duplicates } = document;
  const repeated = duplicates.filter((duplicate) => isStructPath(duplicate.path));
  const [first] = repeated;
  if (first !== undefined) {
    const words = repeated.map((duplicate) => duplicate.text).join('; ');
    return {
      ok: false,
      refusal: { ...refusalOf(first), text: `line ${first.line}, column ${first.column}: ${words}` },
    };
  }
  const struct = readStruct(RunCheckpoint, document, OPAQUE);
  if (!struct.ok) return struct;
  const fields = struct.value;
  const runId = parseUlid(fields.run_id);
  if (!runId.ok) {
    const words = `run_id ${JSON.stringify(fields.run_id)} is no ULID: ${runId.reason}`;
    return { ok: false, refusal: refusalAt(text, root, ['run_id'], 'bad_run_id', words) };
  }
  const created = parseTime(fields.created_at);
  if (!created.ok) {
    const words = `created_at: ${created.reason}`;
    return { ok: false, refusal: refusalAt(text, root, ['created_at'], 'bad_time', words) };
  }
  const messages = fields.messages.map((message) => readMessage(text, message));
  const pending = fields.pending_tool_calls?.map((call, index) => readPending(text, call, index)) ?? null;
  const latched = fields.resume_attempted;
  const record: NormalRecord = {
    system: 'klieo',
    runId: runId.id,
    checkpointId: null,
    threadId: fields.thread_id,
    revision: null,
    createdAt: formatNs(created.ns),
    createdAtNs: created.ns,
    updatedAt: null,
    completedStep: fields.step_index - 1,
    resumeStep: fields.step_index,
    state: latched ? 'latched' : 'waiting',
    resumable: !latched,
    pending,
    messages,
    warnings: klieoWarnings({ messages, pending, latched, duplicates }),
    order: `${fields.step_index} ${created.ns}`,
  };
  return { ok: true, record };
}

function readMessage(text: string, message: RunCheckpoint['messages'][number]): Message {
  return {
    role: message.role,
    content: message.content,
    toolCalls: message.tool_calls.map(({ id, name, args }) => ({ id, name, arguments: raw(text, args) })),
    toolCallId: message.tool_call_id,
  };
}

function readPending(text: string, call: { id: string; name: string; args: JsonNode }, index: number): PendingCall {
  const written = raw(text, call.args);
  return { index, id: call.id, name: call.name, arguments: written, argumentsSha256: textDigest(written) };
}
