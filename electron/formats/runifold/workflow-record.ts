import { argumentsWarnings } from '../../../shared/argument-warnings.js';
import type { NormalRecord, PendingCall, Warning } from '../../../shared/checkpoint.js';
import { raw } from '../../../shared/json.js';
import { duplicatesElsewhere } from '../batch-warnings.js';
import { textDigest } from '../text-digest.js';
import { lastRevision } from './agent-warnings.js';
import { type Fact, fact, updatedAt } from './facts.js';
import { MAX_PAYLOAD_BYTES, promptFault } from './limits.js';
import { U64_MAX } from './numbers.js';
import type { WorkflowDocument } from './open.js';
import { sortedText } from './sorted.js';
import { usageText } from './usage-shape.js';
import type { Wait, WorkflowState } from './workflow-shape.js';
import { ambiguousStep, contradictions } from './workflow-state.js';

const PROPOSAL = 'payload.phase.wait.request.proposal';
/** What a tool server would say of arguments; an interrupt proposes any value. */
const OF_TOOL_SERVERS = ['arguments_empty', 'arguments_encoded', 'arguments_not_an_object'];

/** A workflow checkpoint in the normal form. Only an interrupt asks a person; every other wait is left alone. */
export function workflowRecord(document: WorkflowDocument): NormalRecord {
  const { envelope, state } = document;
  const { phase } = state;
  const pending = interruptItem(document);
  const open = ambiguousStep(state) === null && phase.state !== 'completed';
  const waitsForOthers = phase.state === 'waiting' && pending === null;
  const next = Number(state.next_index);
  return {
    system: 'runifold',
    runId: envelope.run_id,
    checkpointId: envelope.id,
    threadId: null,
    revision: String(envelope.revision),
    createdAt: null,
    createdAtNs: null,
    updatedAt: updatedAt(envelope),
    completedStep: next,
    resumeStep: next + 1,
    state: pending !== null ? 'waiting' : phase.state === 'completed' ? 'finished' : open ? 'running' : 'in_flight',
    resumable: open && !waitsForOthers && envelope.revision < U64_MAX,
    pending: pending === null ? null : [pending],
    messages: [],
    warnings: warnings(document, pending),
    classification: classification(state),
    about: about(document),
    onlyHandedOver: 'the steps of a workflow are code of its own worker, which takes the decision and goes on',
  };
}

/** One proposal an interrupt; the proposed value stands where a call has its arguments. */
function interruptItem({ text, state: { phase } }: WorkflowDocument): PendingCall | null {
  if (phase.state !== 'waiting' || phase.wait.kind !== 'interrupt') return null;
  const { interrupt_id: id, proposal } = phase.wait.request;
  const written = raw(text, proposal);
  const name = `${phase.step}/interrupt`;
  const argumentsSha256 = textDigest(written);
  return { index: 0, id, name, arguments: written, argumentsSha256, edits: 'any_value', paths: [PROPOSAL] };
}

function warnings({ state, duplicates, envelope }: WorkflowDocument, pending: PendingCall | null): Warning[] {
  const { phase } = state;
  const list: Warning[] = [
    ...(pending === null ? [] : argumentsWarnings(pending.arguments, PROPOSAL)).filter(
      ({ code }) => !OF_TOOL_SERVERS.includes(code),
    ),
    ...duplicatesElsewhere(
      duplicates,
      (path) => pending !== null && /^payload\.phase\.wait\.request\.proposal($|[.[])/.test(path),
    ),
    ...contradictions(state),
    ...(envelope.revision === U64_MAX ? [lastRevision] : []),
  ];
  const step = ambiguousStep(state);
  if (step !== null) {
    const text = `step ${step} had begun when this was written and may have run: what it does may happen twice`;
    list.push({ code: 'ambiguous_step', path: 'payload.phase', text, blocksApproval: false });
  }
  if (phase.state === 'waiting' && phase.wait.kind === 'interrupt') {
    const { prompt, proposal } = phase.wait.request;
    const fault = promptFault(prompt);
    const size = new TextEncoder().encode(sortedText(proposal)).length;
    if (fault !== null)
      list.push({ code: 'bad_prompt', path: 'payload.phase.wait.request.prompt', text: fault, blocksApproval: false });
    if (size > MAX_PAYLOAD_BYTES) {
      const text = `the proposal has ${size} bytes; runifold makes none over ${MAX_PAYLOAD_BYTES}`;
      list.push({ code: 'proposal_too_large', path: PROPOSAL, text, blocksApproval: false });
    }
  }
  return list;
}

function classification(state: WorkflowState): string {
  const { phase, layout, next_index: next } = state;
  switch (phase.state) {
    case 'ready': {
      const step = layout[Number(next)];
      return step === undefined
        ? 'ready to complete; nothing waits for a person'
        : `ready for step ${step}; nothing waits for a person`;
    }
    case 'waiting':
      return phase.wait.kind === 'interrupt'
        ? `step ${phase.step} asks a person`
        : `step ${phase.step} waits for ${waitText(phase.wait)}, not for a person`;
    case 'completed':
      return 'finished; nothing to decide';
    default:
      return ambiguousStep(state) === null
        ? `step ${phase.step} is settled; nothing waits for a person`
        : `in flight: step ${phase.step} may have run`;
  }
}

function waitText(wait: Wait): string {
  switch (wait.kind) {
    case 'timer':
      return `a timer (${wait.delay_ms} ms)`;
    case 'signal':
      return `the signal ${wait.name}`;
    case 'signal_or_timeout':
      return `the signal ${wait.name} or a timeout (${wait.timeout_ms} ms)`;
    case 'interrupt':
      return 'a person';
  }
}

function about({ envelope, state }: WorkflowDocument): Fact[] {
  const { phase } = state;
  const wait = phase.state === 'waiting' ? phase.wait : null;
  return [
    fact('Workflow', `${state.workflow}, version ${state.workflow_version}`),
    fact('Phase', phase.state),
    ...('step' in phase ? [fact('Step', phase.step)] : []),
    ...(wait === null ? [] : [fact('Waits for', waitText(wait))]),
    ...(wait?.kind === 'interrupt' ? [fact('Prompt', wait.request.prompt)] : []),
    ...('branches' in phase
      ? Object.entries(phase.branches).map(([name, { state: at }]) => fact(`Branch ${name}`, at))
      : []),
    fact('Steps', state.layout.join(', ')),
    fact('Steps completed', state.next_index),
    fact('Usage', usageText(state.usage)),
    fact('Revision', envelope.revision),
    fact('Schema version', envelope.schema_version),
  ];
}
