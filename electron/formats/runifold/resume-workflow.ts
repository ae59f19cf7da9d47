import { accepted, type Outcome } from '../../../shared/refusal.js';
import { reopen } from './open.js';
import { type WorkflowOutcome, workflowOutcome } from './outcome.js';
import { refusedAs } from './refused-as.js';
import { covers, sameUsage, type Usage } from './usage-shape.js';
import { ambiguousStep, contradictions } from './workflow-state.js';

export interface WorkflowCaller {
  workflow: string;
  version: number;
  layout: readonly string[];
  usage: Usage;
  policy: 'RejectAmbiguous' | 'RetryInterruptedStep';
}

export type WorkflowResume =
  | { kind: 'stored_outcome'; outcome: WorkflowOutcome }
  | { kind: 'continue'; step: string | null }
  | { kind: 'retry'; step: string };

/** What resuming a workflow checkpoint means (R15). A wait of any kind needs a worker that brings what woke it. */
export function resumeWorkflow(bytes: Uint8Array, caller: WorkflowCaller): Outcome<WorkflowResume> {
  const document = reopen(bytes);
  if (document.kind !== 'workflow')
    return refusedAs('InvalidPayload', 'checkpoint kind or schema version is not supported');
  const { state } = document;
  const { phase, layout } = state;
  const same =
    state.workflow === caller.workflow &&
    state.workflow_version === caller.version &&
    layout.length === caller.layout.length &&
    layout.every((step, at) => step === caller.layout[at]) &&
    contradictions(state).length === 0;
  if (!same)
    return refusedAs(
      'CheckpointIdentityMismatch',
      'workflow checkpoint does not match the current workflow definition',
    );
  const ambiguous = ambiguousStep(state);
  if (ambiguous !== null && caller.policy === 'RejectAmbiguous') return stepRefused(ambiguous);
  const usageFits = ambiguous !== null ? covers(state.usage, caller.usage) : sameUsage(state.usage, caller.usage);
  if (!usageFits)
    return refusedAs('CheckpointUsageMismatch', 'workflow checkpoint usage is incompatible with the supplied run');
  const outcome = workflowOutcome(document);
  if (outcome !== null) return accepted({ kind: 'stored_outcome', outcome });
  if (phase.state === 'waiting')
    return refusedAs('DurableWaitRequiresWorker', 'durable workflow wait requires a distributed WorkflowWorker');
  if (ambiguous !== null) return accepted({ kind: 'retry', step: ambiguous });
  return accepted({ kind: 'continue', step: layout[Number(state.next_index)] ?? null });
}

/** R15: what the default policy says of an interrupted step. */
export function stepRefused(step: string): ReturnType<typeof refusedAs> {
  return refusedAs('AmbiguousCheckpoint', `checkpoint contains ambiguous in-flight workflow step \`${step}\``, {
    step,
  });
}
