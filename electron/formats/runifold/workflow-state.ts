import type { Warning } from '../../../shared/checkpoint.js';
import { sameJson } from '../../../shared/json-compare.js';
import { sameUsage } from './usage-shape.js';
import type { WorkflowState } from './workflow-shape.js';

/** The step that may have run in part, or null (R15). None when all branches are done, or the race has its winner. */
export function ambiguousStep({ phase }: WorkflowState): string | null {
  if (phase.state === 'step_in_flight') return phase.step;
  if (phase.state !== 'parallel_in_flight' && phase.state !== 'race_in_flight') return null;
  const states = Object.values(phase.branches).map((branch) => branch.state);
  const open =
    phase.state === 'parallel_in_flight'
      ? states.some((state) => state !== 'completed')
      : !states.includes('completed') && states.some((state) => state !== 'failed');
  return open ? phase.step : null;
}

/** Facts that stand twice in a workflow checkpoint and differ: its worker refuses it (CheckpointIdentityMismatch, R15). */
export function contradictions(state: WorkflowState): Warning[] {
  const { layout, outputs, phase, value } = state;
  const next = Number(state.next_index);
  const found: [path: string, words: string][] = [];
  if (next > layout.length) found.push(['payload.next_index', `step ${next + 1} is next, of ${layout.length}`]);
  const done = layout.slice(0, next);
  const kept = new Set(outputs.entries.map((entry) => entry.key));
  if (kept.size !== done.length || done.some((step) => !kept.has(step)))
    found.push(['payload.outputs', 'the outputs are not those of the completed steps']);
  if ('step' in phase && phase.step !== layout[next])
    found.push(['payload.phase.step', `the phase is about step ${phase.step}, next is ${layout[next] ?? 'none'}`]);
  if (phase.state === 'waiting' && phase.wait.kind === 'interrupt' && !sameJson(phase.wait.request.proposal, value))
    found.push(['payload.phase.wait.request.proposal', 'the proposal is not the value that came from the step before']);
  if (phase.state === 'completed') {
    const { output, steps, usage } = phase.outcome;
    const same = sameJson(output, value) && sameJson(steps, outputs) && sameUsage(usage, state.usage);
    if (!same || next !== layout.length)
      found.push(['payload.phase.outcome', 'the outcome is not what the steps gave']);
  }
  return found.map(([path, words]) => ({
    code: 'identity_mismatch',
    path,
    text: `the record contradicts itself: ${words}; runifold refuses it (CheckpointIdentityMismatch)`,
    blocksApproval: true,
  }));
}
