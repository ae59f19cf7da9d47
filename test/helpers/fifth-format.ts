import { z } from 'zod';
import { checkVerdict, checkWholeBatch } from '../../electron/formats/check-verdict.js';
import type { CheckpointFormat, Continued, ReadResult } from '../../electron/formats/format.js';
import { jsonList, jsonObject, jsonText } from '../../electron/formats/json-text.js';
import { refusalOf } from '../../electron/formats/refuse-record.js';
import { readStruct } from '../../electron/formats/struct.js';
import { textDigest } from '../../electron/formats/text-digest.js';
import type { Message, PendingCall } from '../../shared/checkpoint.js';
import type { Verdict } from '../../shared/decision.js';
import { type JsonNode, member, raw, readJson } from '../../shared/json.js';
import { accepted } from '../../shared/refusal.js';

/** A further source system as a newcomer would write it: this file, one line of the list, fixtures. */
export const fifth: CheckpointFormat = {
  system: 'fifth',
  detect: (root) =>
    member(root, 'messages') && member(root, 'requests') ? 'fifth: the keys messages and requests' : null,
  read,
  checkDecision(record, decision, { wholeBatchOnly }) {
    for (const verdict of decision.verdicts) {
      const checked = checkVerdict(record.pending?.[verdict.index], verdict);
      if (!checked.ok) return checked;
    }
    return wholeBatchOnly ? checkWholeBatch(decision) : accepted(null);
  },
  handOver: (bytes, record, decision) => ({
    systemDecision: jsonObject([
      ['calls', '{}'],
      [
        'approvals',
        jsonObject(decision.verdicts.map((said) => [record.pending?.[said.index]?.id ?? '', verdictText(said)])),
      ],
      ['metadata', '{}'],
    ]),
    record: new TextDecoder().decode(bytes),
    notes: [],
  }),
  /** It has no claim of its own. */
  latchedView: (bytes) => bytes,
  writeContinued,
};

const json = z.custom<JsonNode>((value) => typeof value === 'object' && value !== null && 'kind' in value);
const Part = z.looseObject({
  part_kind: z.string({ error: 'must be a text' }),
  content: z.unknown().optional(),
  tool_name: z.string().optional(),
  args: json.optional(),
  tool_call_id: z.string().optional(),
});
type Part = z.infer<typeof Part>;
const Shape = z.object({
  messages: z.array(z.looseObject({ run_id: z.string(), conversation_id: z.string(), parts: z.array(Part) })).min(1),
  requests: z.object({ approvals: z.array(Part) }),
});

function read(bytes: Uint8Array): ReadResult {
  const document = readJson(bytes);
  if (!document.ok) return { ok: false, refusal: refusalOf(document.fault) };
  const struct = readStruct(Shape, document, new Set(['args']));
  if (!struct.ok) return struct;
  const { messages, requests } = struct.value;
  const last = messages.at(-1);
  const argumentsOf = (part: Part): string => (part.args ? raw(document.text, part.args) : '{}');
  const pending = requests.approvals.map((part, index): PendingCall => {
    const text = argumentsOf(part);
    const id = part.tool_call_id ?? '';
    const path = `requests.approvals[${index}]`;
    return { index, id, name: part.tool_name ?? '', arguments: text, argumentsSha256: textDigest(text), paths: [path] };
  });
  return {
    ok: true,
    record: {
      system: 'fifth',
      runId: last?.run_id ?? '',
      checkpointId: null,
      threadId: last?.conversation_id ?? null,
      revision: null,
      createdAt: null,
      createdAtNs: null,
      updatedAt: null,
      completedStep: messages.length - 1,
      resumeStep: messages.length,
      state: pending.length > 0 ? 'waiting' : 'finished',
      resumable: pending.length > 0,
      pending: pending.length > 0 ? pending : null,
      messages: messages.flatMap(({ parts }) => normal(parts, argumentsOf)),
      warnings: [],
    },
  };
}

function normal(parts: readonly Part[], argumentsOf: (part: Part) => string): Message[] {
  const calls = parts.filter(({ part_kind: kind }) => kind === 'tool-call');
  const said = (role: Message['role'], content: unknown, toolCallId: string | null = null): Message => ({
    role,
    content: typeof content === 'string' ? content : JSON.stringify(content),
    toolCalls: [],
    toolCallId,
  });
  const texts = parts.flatMap((part) => {
    if (part.part_kind === 'user-prompt') return [said('user', part.content)];
    return part.part_kind === 'tool-return' ? [said('tool', part.content, part.tool_call_id ?? '')] : [];
  });
  const text = parts.find(({ part_kind: kind }) => kind === 'text')?.content;
  if (calls.length === 0 && text === undefined) return texts;
  const toolCalls = calls.map((part) => ({
    id: part.tool_call_id ?? '',
    name: part.tool_name ?? '',
    arguments: argumentsOf(part),
  }));
  return [...texts, { ...said('assistant', text ?? ''), toolCalls }];
}

function verdictText({ verdict, reason, editedArguments }: Verdict): string {
  if (verdict === 'reject')
    return jsonObject([
      ['kind', '"tool-denied"'],
      ['message', jsonText(reason ?? '')],
    ]);
  const edit = editedArguments === undefined ? [] : [['override_args', editedArguments] as const];
  return jsonObject([['kind', '"tool-approved"'], ...edit]);
}

function writeContinued(bytes: Uint8Array, { messages, pending }: Continued): Uint8Array {
  const document = readJson(bytes);
  const before = read(bytes);
  if (!document.ok || !before.ok) throw new Error('a record that was read before');
  const list = member(document.root, 'messages');
  const kept = list?.kind === 'array' ? list.items.map((item) => raw(document.text, item)) : [];
  const ids: [string, string][] = [
    ['run_id', jsonText(before.record.runId)],
    ['conversation_id', jsonText(before.record.threadId ?? '')],
  ];
  const fresh = messages
    .slice(before.record.messages.length)
    .map((message) => jsonObject([['parts', parts(message)], ...ids]));
  const asked = (pending ?? []).map((call) => callText({ ...call, id: call.id ?? '' }));
  const record = jsonObject([
    ['messages', jsonList([...kept, ...fresh])],
    ['requests', jsonObject([['approvals', jsonList(asked)]])],
  ]);
  return new TextEncoder().encode(record);
}

const callText = (call: { id: string | null; name: string; arguments: string }): string =>
  jsonObject([
    ['tool_name', jsonText(call.name)],
    ['args', call.arguments],
    ['tool_call_id', jsonText(call.id ?? '')],
    ['part_kind', '"tool-call"'],
  ]);

function parts({ role, content, toolCalls, toolCallId }: Message): string {
  const text = (kind: string, more: [string, string][] = []): string =>
    jsonObject([['content', jsonText(content)], ...more, ['part_kind', jsonText(kind)]]);
  if (role === 'tool') return jsonList([text('tool-return', [['tool_call_id', jsonText(toolCallId ?? '')]])]);
  return jsonList([text(role === 'user' ? 'user-prompt' : 'text'), ...toolCalls.map(callText)]);
}
