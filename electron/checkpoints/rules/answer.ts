import type { PendingCall } from '../../../shared/checkpoint.js';
import type { Decision, Verdict } from '../../../shared/decision.js';
import type { Rule } from '../../../shared/rule.js';
import type { Ports } from '../../ports.js';
import { openCalls } from '../may-fire.js';
import type { Loaded } from '../records.js';
import { serverOf } from './facts.js';
import { type RuledCall, speaksOf } from './match.js';
import { standingOf } from './records.js';

/** What rules say of a whole suspension. */
export interface RuleAnswer {
  verdicts: Omit<Verdict, 'editedSha256'>[];
  rules: NonNullable<Decision['rules']>;
  owner: string;
}

/**
 * What the live rules say to every open call of a suspension; null where one call is left to a person. A reject rule is
 * never beaten: one that is live rejects, and one that stands and is not (still in shadow, or used up) leaves the call to a
 * person. All rules that answer one suspension have one owner, since its decision carries one name.
 */
export function answerOf(
  rules: readonly Rule[],
  loaded: Loaded,
  ports: Pick<Ports, 'clock' | 'settings' | 'listed'>,
): RuleAnswer | null {
  const open = openCalls(loaded);
  if (open.length === 0) return null;
  const now = ports.clock.now();
  const standing = rules.filter((rule) => !['off', 'expired'].includes(standingOf(rule, now)));
  const verdicts: RuleAnswer['verdicts'] = [];
  const said = new Map<Rule, number[]>();
  for (const call of open) {
    const ruled = ruledCall(loaded.key.source, call, ports);
    const rule = ruleFor(
      standing.filter((one) => speaksOf(one, ruled)),
      now,
    );
    if (rule === null) return null;
    const { index, argumentsSha256 } = call;
    verdicts.push(
      rule.verdict === 'approve'
        ? { index, argumentsSha256, verdict: 'approve' }
        : { index, argumentsSha256, verdict: 'reject', reason: reasonOf(rule) },
    );
    said.set(rule, [...(said.get(rule) ?? []), index]);
  }
  const answering = [...said.keys()];
  const [first] = answering;
  if (first === undefined || answering.some(({ owner }) => owner !== first.owner)) return null;
  return { verdicts, owner: first.owner, rules: [...said].map(([{ id, name }, calls]) => ({ id, name, calls })) };
}

export function ruledCall(
  source: string,
  call: Pick<PendingCall, 'name' | 'arguments'>,
  ports: Pick<Ports, 'settings' | 'listed'>,
): RuledCall {
  const server = serverOf(ports.settings(), source, call.name, ports.listed?.(source) ?? []);
  return { source, server, tool: call.name, arguments: call.arguments };
}

/** Of rules that speak of one call, the one that answers. */
function ruleFor(speaking: readonly Rule[], now: bigint): Rule | null {
  const live = speaking.filter((rule) => standingOf(rule, now) === 'live');
  const rejecting = speaking.find((rule) => rule.verdict === 'reject');
  if (rejecting) return live.find((rule) => rule.verdict === 'reject') ?? null;
  return live[0] ?? null;
}

/** The agent is told word for word, and that nobody looked at this very call. */
function reasonOf({ reason, owner, name }: Rule): string {
  const given = reason.trim() === '' ? 'Calls like this one are not allowed.' : reason;
  return `${given} (A standing rule of ${owner} says so: ${name}.)`;
}
