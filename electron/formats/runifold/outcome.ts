import type { Message } from '../../../shared/checkpoint.js';
import { type JsonNode, member, raw } from '../../../shared/json.js';
import { type AgentDocument, reopen, type WorkflowDocument } from './open.js';
import { agentTurns } from './turn.js';
import type { Usage } from './usage-shape.js';

/** What a completed agent run gave (R6). `response` is the model's last response as JSON text. */
export interface AgentOutcome {
  kind: 'agent';
  response: string;
  answer: string;
  transcript: Message[];
  turns: number;
  toolCalls: number;
  delegations: number;
  usage: Usage;
}

/** What a completed workflow gave; `output` and `steps` are JSON texts. */
export interface WorkflowOutcome {
  kind: 'workflow';
  output: string;
  steps: string;
  usage: Usage;
}

/** The stored outcome of a completed checkpoint, without asking any model; other phases have none (R6). */
export function outcomeOf(bytes: Uint8Array): AgentOutcome | WorkflowOutcome | null {
  const document = reopen(bytes);
  return document.kind === 'agent' ? agentOutcome(document) : workflowOutcome(document);
}

export function agentOutcome(document: AgentDocument): AgentOutcome | null {
  const { state, text } = document;
  if (state.phase.state !== 'completed') return null;
  const answer = state.phase.response.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
  return {
    kind: 'agent',
    response: raw(text, at(document, ['payload', 'phase', 'response'])),
    answer,
    transcript: agentTurns(document).messages,
    turns: state.turns,
    toolCalls: state.tool_calls,
    delegations: state.delegations,
    usage: state.usage,
  };
}

export function workflowOutcome({ state, text }: WorkflowDocument): WorkflowOutcome | null {
  if (state.phase.state !== 'completed') return null;
  const { output, steps, usage } = state.phase.outcome;
  return { kind: 'workflow', output: raw(text, output), steps: raw(text, steps), usage };
}

function at({ root }: AgentDocument, path: readonly string[]): JsonNode {
  return path.reduce<JsonNode>((node, key) => {
    const next = member(node, key);
    if (next === undefined) throw new Error(`${path.join('.')} is missing`);
    return next;
  }, root);
}
