import { z } from 'zod';
import { accepted, type Outcome, refused } from '../../../shared/refusal.js';
import { Rule, type RuleState } from '../../../shared/rule.js';
import { compareTimes, formatNs } from '../../../shared/time.js';
import type { Ports } from '../../ports.js';
import { CasConflict, type KvStore } from '../../store/contract.js';
import { RULE_SWITCH, RULES } from '../keys.js';

const encode = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
const decode = (bytes: Uint8Array): unknown => JSON.parse(new TextDecoder().decode(bytes));

export interface RuleAt {
  rule: Rule;
  revision: number;
}

export async function readRule(store: KvStore, id: string): Promise<RuleAt | null> {
  const entry = await store.get(RULES, id);
  const rule = entry && Rule.safeParse(decode(entry.value)).data;
  return entry && rule ? { rule, revision: entry.revision } : null;
}

/** All rules, oldest first. What cannot be read is no rule, and answers nothing. */
export async function allRules(store: KvStore): Promise<RuleAt[]> {
  const found: RuleAt[] = [];
  for (let cursor: string | null = null; ; ) {
    const page = await store.keysPage(RULES, cursor, 256);
    for (const { key } of page.heads) {
      const at = await readRule(store, key);
      if (at) found.push(at);
    }
    if (page.next === null) return found.sort((a, b) => compareTimes(a.rule.createdAt, b.rule.createdAt));
    cursor = page.next;
  }
}

export async function addRule(store: KvStore, rule: Rule): Promise<void> {
  await store.cas(RULES, rule.id, encode(rule), null, { payloads: [] });
}

/** Moves a rule on, over the revision that the person saw. What is over stays over. */
export async function moveRule(
  store: KvStore,
  ports: Pick<Ports, 'clock'>,
  { id, revision, to, by }: { id: string; revision: number; to: RuleState; by: string },
): Promise<Outcome<Rule>> {
  const now = await readRule(store, id);
  if (now === null) return refused('not_found', 'There is no such rule.');
  const changed = (): Outcome<never> =>
    refused('changed_since_you_looked', 'The rule has changed since you looked; it is shown anew.', { id });
  if (now.revision !== revision) return changed();
  if (now.rule.state === 'off') return refused('not_allowed', 'This rule is over. Make a new one.');
  if (now.rule.state === to) return accepted(now.rule);
  const at = formatNs(ports.clock.now());
  const next: Rule = { ...now.rule, state: to, moves: [...now.rule.moves, { at, by, to }] };
  try {
    await store.cas(RULES, id, encode(next), revision, { payloads: [] });
    return accepted(next);
  } catch (error) {
    if (error instanceof CasConflict) return changed();
    throw error;
  }
}

export type Standing = 'shadow' | 'live' | 'off' | 'expired' | 'used_up';

/** Whether a rule is in force at an instant (nanoseconds): a clock before its making counts as past its end. */
export function standingOf(rule: Rule, now: bigint): Standing {
  if (rule.state === 'off') return 'off';
  const at = formatNs(now);
  if (compareTimes(at, rule.createdAt) < 0 || compareTimes(at, rule.expiresAt) >= 0) return 'expired';
  if (rule.state === 'live' && rule.used >= rule.limit) return 'used_up';
  return rule.state;
}

/**
 * Counts `calls` answers of a live rule before they are given: by compare-and-set, so that several processes and a crash
 * never let it answer more than its limit. False when it may not answer that many (more).
 */
export async function countAnswers(
  store: KvStore,
  ports: Pick<Ports, 'clock'>,
  id: string,
  calls: number,
): Promise<boolean> {
  const now = await readRule(store, id);
  if (now === null || standingOf(now.rule, ports.clock.now()) !== 'live' || now.rule.used + calls > now.rule.limit)
    return false;
  try {
    await store.cas(RULES, id, encode({ ...now.rule, used: now.rule.used + calls }), now.revision, { payloads: [] });
    return true;
  } catch (error) {
    // Moved or used meanwhile: whoever changed it is looked at anew.
    if (error instanceof CasConflict) return false;
    throw error;
  }
}

const Switch = z.strictObject({ v: z.literal(1), paused: z.boolean(), at: z.string(), by: z.string() });
const ALL = 'all';

/** One switch for all rules. What cannot be read is a pause. */
export async function arePaused(store: KvStore): Promise<boolean> {
  const entry = await store.get(RULE_SWITCH, ALL);
  if (entry === null) return false;
  return Switch.safeParse(decode(entry.value)).data?.paused ?? true;
}

export async function pauseRules(
  store: KvStore,
  ports: Pick<Ports, 'clock'>,
  paused: boolean,
  by: string,
): Promise<void> {
  const value: z.infer<typeof Switch> = { v: 1, paused, at: formatNs(ports.clock.now()), by };
  await store.put(RULE_SWITCH, ALL, encode(value), { payloads: [] });
}
