import type { Rule, RuleCondition } from '../../shared/rule.js';
import { shown as shownUpTo } from '../shell/shown.js';

/** Nothing of a rule is cut where a person agrees to it; one that gets too long is refused as a whole. */
const shown = (text: string): string => shownUpTo(text, Number.POSITIVE_INFINITY);

/** A rule as it is shown in a native question: whole, in words that nothing in it can bend. */
export function ruleWords(rule: Omit<Rule, 'v' | 'id' | 'state' | 'used' | 'moves'>): string {
  const { conditions, name, others, server, source, tool, verdict } = rule;
  return [
    `${verdict === 'approve' ? 'Approve' : 'Reject'}, with no person looking: calls of ${shown(tool)}`,
    `of the source ${shown(source)}, ${server === null ? 'for which no tool server is known' : `sent to the tool server ${shown(server)}`}`,
    '',
    'when',
    ...conditions.map(
      (condition) =>
        `• ${shown(condition.pointer === '' ? 'all of it' : condition.pointer)} ${conditionWords(condition)}`,
    ),
    others ? '• other arguments may be there, whatever they are' : '• and no other argument is there',
    '',
    `At most ${rule.limit} calls, until ${rule.expiresAt.slice(0, 10)}; in the name of ${shown(rule.owner)}. It is called ${shown(name)}.`,
    ...(verdict === 'reject' ? [`The agent is told: ${shown(rule.reason)}`] : []),
  ].join('\n');
}

function conditionWords(condition: RuleCondition): string {
  switch (condition.test) {
    case 'equals':
      return `is ${shown(condition.value)}`;
    case 'one_of':
      return `is one of ${condition.values.map((value) => shown(value)).join(', ')}`;
    case 'range':
      return `is a number ${[condition.min === null ? '' : `from ${condition.min}`, condition.max === null ? '' : `to ${condition.max}`].filter(Boolean).join(' ')}`;
    case 'prefix':
      return `is a text that begins with ${shown(condition.prefix)}`;
  }
}
