import type { NormalRecord } from '../../../shared/checkpoint.js';
import { readJson } from '../../../shared/json.js';
import { sameJson } from '../../../shared/json-compare.js';
import { accepted, type Outcome } from '../../../shared/refusal.js';
import type { Lineage, Succession } from '../format.js';
import { reopen } from './open.js';
import { refusedAs } from './refused-as.js';
import { nextRevision } from './revision.js';

/**
 * Of two checkpoints of one run (R1): one with another id is another checkpoint; of one id the higher revision counts,
 * and a lower or an equal one with other content is what runifold calls a Conflict.
 */
export function succession(before: Lineage, next: Lineage): Succession {
  if (before.checkpointId !== next.checkpointId) return { kind: 'beside' };
  if (BigInt(next.revision ?? 0) > BigInt(before.revision ?? 0)) return { kind: 'supersedes' };
  const text = `checkpoint \`${next.checkpointId}\` revision precondition failed: revision ${before.revision} is known, and ${next.revision} does not come after it`;
  const { refusal } = refusedAs('Conflict', text, {
    id: next.checkpointId,
    actual: before.revision,
    next: next.revision,
  });
  return { kind: 'refused', refusal: { ...refusal, code: 'superseded' } };
}

/** The same revision in other bytes is no conflict. */
export function sameContent(before: Uint8Array, next: Uint8Array): boolean {
  const [a, b] = [readJson(before), readJson(next)];
  return a.ok && b.ok && sameJson(a.root, b.root);
}

/** R1: there must be a revision after it. A workflow goes on in its own worker. */
export function mayContinue(bytes: Uint8Array): Outcome<null> {
  const revision = nextRevision(reopen(bytes).envelope.revision);
  return revision.ok ? accepted(null) : revision;
}

/** R8: who loses the compare-and-swap gets a Conflict, before any model call. */
export function claimLost({ checkpointId }: NormalRecord): { upstream: string; text: string } {
  return { upstream: 'Conflict', text: `Conflict: checkpoint \`${checkpointId}\` revision precondition failed` };
}
