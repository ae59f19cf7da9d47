import type { NormalRecord } from '../../../shared/checkpoint.js';
import type { Decision } from '../../../shared/decision.js';
import { accepted, type Outcome, refused } from '../../../shared/refusal.js';
import type { HandedOver } from '../format.js';
import { orDefault } from './check-decision.js';
import { commandToText, editedValue, type InterruptCommand, type InterruptDecision } from './command.js';
import { uuidFromUlid } from './uuid.js';

/**
 * For an interrupt the command that runifold's control plane takes, and the checkpoint as it is: the worker wakes it.
 * An agent checkpoint is handed over unchanged; runifold has no word for a decision on calls (R4).
 */
export function handOver(bytes: Uint8Array, record: NormalRecord, decision: Decision): HandedOver {
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  if (record.pending !== null && record.onlyHandedOver !== undefined) {
    const command = interruptCommand(record, decision);
    if (!command.ok) throw new Error(command.refusal.text);
    return { systemDecision: commandToText(command.value), record: text, notes: [] };
  }
  const notes = record.pending === null ? [] : ['runifold has no decision on calls; each call has its verdict beside'];
  return { systemDecision: null, record: text, notes };
}

/** The command of a decided interrupt. The same decision always gives the same command, so a repeat is a Duplicate. */
export function interruptCommand(record: NormalRecord, decision: Decision): Outcome<InterruptCommand> {
  const interruptId = record.pending?.[0]?.id;
  const verdict = decision.verdicts.find(({ index }) => index === 0);
  if (interruptId == null || record.checkpointId === null || verdict === undefined)
    return refused('incomplete_decision', 'The interrupt has no verdict.');
  let said: InterruptDecision = { kind: 'approve' };
  if (verdict.verdict === 'reject') said = { kind: 'reject', reason: orDefault(verdict.reason) };
  else if (verdict.editedArguments !== undefined) {
    const value = editedValue(verdict.editedArguments);
    if (!value.ok) return value;
    said = { kind: 'edit', value: value.value };
  }
  const decisionId = uuidFromUlid(decision.decisionId);
  return accepted({ decisionId, checkpointId: record.checkpointId, interruptId, decision: said });
}
