import type { Ambiguity } from '../format.js';
import { reopen } from './open.js';
import { turnRefused } from './resume-agent.js';
import { stepRefused } from './resume-workflow.js';
import { agentTurns } from './turn.js';
import { ambiguousStep } from './workflow-state.js';

/** What the default policy RejectAmbiguous says of an interrupted turn or step, and what a retry of it may do (R7, R15). */
export function ambiguity(bytes: Uint8Array): Ambiguity | null {
  const document = reopen(bytes);
  if (document.kind === 'workflow') {
    const step = ambiguousStep(document.state);
    return step === null ? null : { refusal: stepRefused(step).refusal, retry: null };
  }
  const { phase, agent } = document.state;
  if (phase.state !== 'turn_in_flight' || agentTurns(document).pending !== null) return null;
  const warning = `Turn ${phase.turn} of ${agent} had begun and may have run. Trying it again asks the model once more, which may cost twice, and every tool call that the turn made, of which the record shows nothing, may happen twice.`;
  return { refusal: turnRefused(phase.turn).refusal, retry: { turn: phase.turn, warning } };
}
