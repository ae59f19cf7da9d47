import { z } from 'zod';
import { type JsonNode, readJsonText } from '../../../shared/json.js';
import { accepted, type Outcome, refused } from '../../../shared/refusal.js';
import { jsonObject, jsonText } from '../json-text.js';
import { readStruct } from '../struct.js';
import { byteLength, MAX_PAYLOAD_BYTES, MAX_REASON_BYTES } from './limits.js';
import { refusedAs } from './refused-as.js';
import { sortedText } from './sorted.js';
import { json, oneOf, text } from './tagged.js';
import { parseUuid } from './uuid.js';

/** What a person said of one interrupt. `value` is JSON as runifold writes it (J2). */
export type InterruptDecision =
  | { kind: 'approve' }
  | { kind: 'edit'; value: string }
  | { kind: 'reject'; reason: string };

/** WorkflowInterruptCommand (FORMATS 5.4). `decisionId` is the idempotency key (R13). All ids canonical. */
export interface InterruptCommand {
  decisionId: string;
  checkpointId: string;
  interruptId: string;
  decision: InterruptDecision;
}

const Shape = z.object(
  {
    decision_id: text,
    checkpoint_id: text,
    interrupt_id: text,
    decision: z.discriminatedUnion(
      'kind',
      [
        z.object({ kind: z.literal('approve') }),
        z.object({ kind: z.literal('edit'), value: json }),
        z.object({ kind: z.literal('reject'), reason: text }),
      ],
      oneOf('approve', 'edit', 'reject'),
    ),
  },
  { error: 'must be an object' },
);

/** Reads a command; refused as `unreadable` when it is none, as `bad_request` outside runifold's limits (R12). */
export function commandFromText(written: string): Outcome<InterruptCommand> {
  const document = readJsonText(written);
  if (!document.ok) return refused('unreadable', `Not a command: ${document.fault.text}`, { fault: document.fault });
  const [duplicate] = document.duplicates;
  if (duplicate !== undefined) return refused('unreadable', `Not a command: ${duplicate.text}`);
  const struct = readStruct(Shape, document, new Set(['value']));
  if (!struct.ok) return refused('unreadable', `Not a command: ${struct.refusal.text}`, { read: struct.refusal });
  const { decision_id, checkpoint_id, interrupt_id, decision } = struct.value;
  const [decisionId, checkpointId, interruptId] = [decision_id, checkpoint_id, interrupt_id].map(parseUuid);
  if (!decisionId || !checkpointId || !interruptId)
    return refused('unreadable', 'Not a command: its ids are not all UUIDs.');
  const said: InterruptDecision =
    decision.kind === 'edit' ? { kind: 'edit', value: sortedText(decision.value) } : decision;
  const limits = checkLimits(said);
  return limits.ok ? accepted({ decisionId, checkpointId, interruptId, decision: said }) : limits;
}

export function commandToText({ decisionId, checkpointId, interruptId, decision }: InterruptCommand): string {
  return jsonObject([
    ['decision_id', jsonText(decisionId)],
    ['checkpoint_id', jsonText(checkpointId)],
    ['interrupt_id', jsonText(interruptId)],
    ['decision', decisionToText(decision)],
  ]);
}

/** The decision alone, which is what two commands under one id are compared by (R13). */
export function decisionToText(decision: InterruptDecision): string {
  switch (decision.kind) {
    case 'approve':
      return '{"kind":"approve"}';
    case 'edit':
      return `{"kind":"edit","value":${decision.value}}`;
    case 'reject':
      return `{"kind":"reject","reason":${jsonText(decision.reason)}}`;
  }
}

/** An edited value as runifold takes it: strict JSON without duplicate keys, within its limit (R12). */
export function editedValue(written: string): Outcome<string> {
  const read = readJsonText(written);
  if (!read.ok)
    return refused('invalid_edit', `The edited value is not valid JSON: ${read.fault.text}`, { fault: read.fault });
  const [duplicate] = read.duplicates;
  if (duplicate !== undefined) return refused('invalid_edit', `The edited value holds a ${duplicate.text}.`);
  return sizeChecked(read.root);
}

/** R12. */
export function checkLimits(decision: InterruptDecision): Outcome<null> {
  if (decision.kind === 'reject') {
    const size = byteLength(decision.reason);
    if (decision.reason.trim() === '' || size > MAX_REASON_BYTES)
      return refusedAs('InvalidInput', `interrupt rejection reason must contain 1..=${MAX_REASON_BYTES} bytes`, {
        size,
      });
  }
  if (decision.kind === 'edit' && byteLength(decision.value) > MAX_PAYLOAD_BYTES) return tooLarge(decision.value);
  return accepted(null);
}

function sizeChecked(value: JsonNode): Outcome<string> {
  const sorted = sortedText(value);
  return byteLength(sorted) > MAX_PAYLOAD_BYTES ? tooLarge(sorted) : accepted(sorted);
}

function tooLarge(value: string): ReturnType<typeof refusedAs> {
  const size = byteLength(value);
  return refusedAs('InvalidInput', 'interrupt decision payload exceeds the 1 MiB durable limit', { size });
}
