import { member } from '../../../shared/json.js';
import { accepted, type Outcome } from '../../../shared/refusal.js';
import { jsonText } from '../json-text.js';
import { checkLimits, decisionToText, type InterruptCommand, type InterruptDecision } from './command.js';
import { envelopeText, milliseconds } from './envelope-text.js';
import { reopen, type WorkflowDocument } from './open.js';
import { refusedAs } from './refused-as.js';
import { nextRevision } from './revision.js';
import { sortedObject, sortedText } from './sorted.js';

/** What became of a command (R13). `record` is the checkpoint as the worker writes it when it wakes. */
export type Delivered =
  | { kind: 'WokeWorkflow'; record: Uint8Array }
  | { kind: 'Buffered' }
  | { kind: 'Duplicate' }
  | { kind: 'DeadLettered' };

/**
 * Delivers a decision to a workflow checkpoint (R13); `earlier` are the commands that were taken before. The same
 * decision id with the same content is a Duplicate, with other content a Conflict. A wrong or finished interrupt is
 * DeadLettered; one that the workflow has not come to is Buffered. `at` is RFC 3339.
 */
export function decideInterrupt(
  bytes: Uint8Array,
  command: InterruptCommand,
  earlier: readonly InterruptCommand[],
  at: string,
): Outcome<Delivered> {
  const document = reopen(bytes);
  const limits = checkLimits(command.decision);
  if (!limits.ok) return limits;
  if (document.kind !== 'workflow' || document.envelope.id !== command.checkpointId)
    return refusedAs('NotFound', `workflow task \`${command.checkpointId}\` does not exist`);
  const same = earlier.find((other) => other.decisionId === command.decisionId);
  if (same !== undefined) {
    if (isSame(same, command)) return accepted({ kind: 'Duplicate' });
    return refusedAs('Conflict', 'workflow signal identity is already bound to different content', {
      decisionId: command.decisionId,
    });
  }
  const { phase } = document.state;
  const finished = earlier.some((other) => other.interruptId === command.interruptId);
  if (phase.state === 'completed' || finished) return accepted({ kind: 'DeadLettered' });
  if (phase.state !== 'waiting') return accepted({ kind: 'Buffered' });
  if (phase.wait.kind !== 'interrupt') return accepted({ kind: 'Buffered' });
  if (phase.wait.request.interrupt_id !== command.interruptId) return accepted({ kind: 'DeadLettered' });
  const woken = wokenRecord(
    document,
    phase.step,
    resultText(command.decision, sortedText(phase.wait.request.proposal)),
    at,
  );
  return woken.ok ? accepted({ kind: 'WokeWorkflow', record: woken.value }) : woken;
}

/** The value that the next step gets (FORMATS 5.4). */
export function resultText(decision: InterruptDecision, proposal: string): string {
  switch (decision.kind) {
    case 'approve':
      return `{"kind":"approved","value":${proposal}}`;
    case 'edit':
      return `{"kind":"edited","value":${decision.value}}`;
    case 'reject':
      return `{"kind":"rejected","reason":${jsonText(decision.reason)}}`;
  }
}

function isSame(a: InterruptCommand, b: InterruptCommand): boolean {
  return (
    a.checkpointId === b.checkpointId &&
    a.interruptId === b.interruptId &&
    decisionToText(a.decision) === decisionToText(b.decision)
  );
}

/** The step is done with this result: next step, next revision. */
function wokenRecord(
  { root, text, state, envelope }: WorkflowDocument,
  step: string,
  result: string,
  at: string,
): Outcome<Uint8Array> {
  const revision = nextRevision(envelope.revision);
  if (!revision.ok) return revision;
  const payload = member(root, 'payload');
  if (payload?.kind !== 'object') throw new Error('the payload is no object');
  const outputs = state.outputs.entries.filter(({ key }) => key !== step);
  const fields = new Map(payload.entries.map(({ key, value }) => [key, sortedText(value)]));
  fields.set('next_index', String(state.next_index + 1n));
  fields.set(
    'outputs',
    sortedObject([...outputs.map(({ key, value }) => [key, sortedText(value)] as const), [step, result]]),
  );
  fields.set('phase', '{"state":"ready"}');
  fields.set('value', result);
  return accepted(
    envelopeText(
      { root, text },
      { revision: revision.value, payload: sortedObject([...fields]), updatedAtMs: milliseconds(at) },
    ),
  );
}
