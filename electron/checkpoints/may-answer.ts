import type { Warning } from '../../shared/checkpoint.js';
import type { Verdict } from '../../shared/decision.js';
import { accepted, type Outcome, refused } from '../../shared/refusal.js';
import type { ToolFacts } from '../../shared/tool-table.js';
import type { Loaded } from './records.js';

/**
 * What may be answered with no person looking. It only narrows: whatever passes here is asked of `may-fire.ts` like a
 * person's decision, and that file alone says whether a call fires.
 */

/** What must be known of a suspension before a rule may answer it. */
export interface RuleFacts {
  /** Everything that the card would warn of. */
  warnings: readonly Warning[];
  classOf(tool: string): ToolFacts;
}

/** What is true of every record of its system, and nothing about the one at hand. */
const OF_THE_SYSTEM: readonly string[] = ['may_have_been_answered', 'may_have_gone_on'];

/**
 * May rules answer this suspension, so that no person sees it first? Only the plain case: undecided and never decided
 * before (what a person took back stays with persons), nothing that the card would warn of, every tool in the reviewer's
 * table and none of them destructive, nothing edited or mended. `mayDecide` is asked as for everybody.
 */
export function mayAnswerByRule(
  { loaded }: { loaded: Loaded },
  ruled: RuleFacts,
  said: { verdicts: readonly Verdict[]; step?: unknown; repair: boolean; retry?: unknown },
): Outcome<null> {
  const { record, head, decision, journal, beside } = loaded;
  if (decision.kind !== 'none' || journal !== null)
    return refused('already_decided', 'A person has had this run before: no rule answers it.');
  if (record.state !== 'waiting' || beside?.claim || head.conflict !== null || said.step || said.repair || said.retry)
    return refused('not_waiting', 'Rules answer plain calls that wait, and nothing else.');
  for (const verdict of said.verdicts) {
    const call = record.pending?.find(({ index }) => index === verdict.index);
    if (call === undefined || call.needs || verdict.answer || verdict.editedArguments !== undefined)
      return refused('not_allowed', 'A rule approves or rejects a call as it is.');
    const own = maySpeakOf(call.name, ruled);
    if (!own.ok) return own;
  }
  return accepted(null);
}

/** May a rule speak of a call at all: nothing stands there that a person must see, and its class is one for rules? */
export function maySpeakOf(tool: string, { warnings, classOf }: RuleFacts): Outcome<null> {
  const warning = warnings.find(({ code }) => !OF_THE_SYSTEM.includes(code));
  return warning
    ? refused('blocked_by_warning', `A person must see this: ${warning.text}`, { code: warning.code })
    : classForRules(tool, classOf(tool));
}

/** The class may have become another one since the rule was made, or since it answered. */
export function classForRules(tool: string, { known, effect }: ToolFacts): Outcome<null> {
  if (!known) return refused('not_allowed', `${tool} is not in the tool table: a person must see it.`, { tool });
  return effect === 'destructive'
    ? refused('not_allowed', `${tool} is destructive: no rule answers it.`, { tool })
    : accepted(null);
}
