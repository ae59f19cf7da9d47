import { readJsonText } from '../../../shared/json.js';
import { sameJson } from '../../../shared/json-compare.js';
import { accepted, type Outcome } from '../../../shared/refusal.js';
import { reopen } from './open.js';
import { refusedAs } from './refused-as.js';
import { agentTurns } from './turn.js';

export type EffectClass = 'Pure' | 'ReadOnly' | 'IdempotentWrite' | 'NonIdempotentWrite' | 'Destructive' | 'Unknown';

export interface Effect {
  key: string;
  tool: string;
  /** Raw JSON text. */
  input: string;
  effectClass: EffectClass;
}

export type EffectStatus =
  | { state: 'prepared' }
  | { state: 'started' }
  | { state: 'completed'; output: string }
  | { state: 'failed'; error: string };

/** The idempotency key of one call of a turn (R9). `call` counts from 0 in the order asked. */
export function effectKey(at: { executionId: string; agent: string; turn: number; call: number }): string {
  return `${at.executionId}:agent:${at.agent}:turn:${at.turn}:call:${at.call}`;
}

/** The key of one call of an agent checkpoint; a workflow's steps have none. */
export function effectKeyOf(bytes: Uint8Array, at: { turn: number; call: number }): string | null {
  const document = reopen(bytes);
  if (document.kind !== 'agent') return null;
  const { execution_id: executionId, agent } = document.state;
  return effectKey({ executionId, agent, ...at });
}

/** The keys of the calls that an agent checkpoint holds for a person, in batch order; none where nothing is held. */
export function effectKeys(bytes: Uint8Array): string[] {
  const document = reopen(bytes);
  if (document.kind !== 'agent') return [];
  const { execution_id: executionId, agent, turns } = document.state;
  return (agentTurns(document).pending ?? []).map(({ index }) =>
    effectKey({ executionId, agent, turn: turns + 1, call: index }),
  );
}

/** What becomes of an effect whose key was met before: run it, or give the stored output again (R9). */
export function recoverEffect(
  known: { effect: Effect; status: EffectStatus } | null,
  wanted: Effect,
  policy: 'RejectAmbiguous' | 'RetrySafe',
): Outcome<{ kind: 'run' } | { kind: 'replay'; output: string }> {
  if (known === null) return accepted({ kind: 'run' });
  if (!sameEffect(known.effect, wanted))
    return refusedAs('IdempotencyConflict', 'effect identity or idempotency key was reused for different work', {
      key: wanted.key,
    });
  switch (known.status.state) {
    case 'prepared':
      return accepted({ kind: 'run' });
    case 'completed':
      return accepted({ kind: 'replay', output: known.status.output });
    case 'failed':
      return refusedAs('Handler', known.status.error, { key: wanted.key });
    case 'started':
      if (policy === 'RetrySafe' && retrySafe(wanted)) return accepted({ kind: 'run' });
      return refusedAs('Ambiguous', `effect \`${wanted.key}\` may already have executed`, { key: wanted.key });
  }
}

function retrySafe({ effectClass, key }: Effect): boolean {
  return effectClass === 'Pure' || effectClass === 'ReadOnly' || (effectClass === 'IdempotentWrite' && key !== '');
}

function sameEffect(a: Effect, b: Effect): boolean {
  const [left, right] = [readJsonText(a.input), readJsonText(b.input)];
  const sameInput = a.input === b.input || (left.ok && right.ok && sameJson(left.root, right.root));
  return sameInput && a.key === b.key && a.tool === b.tool && a.effectClass === b.effectClass;
}
