import type { CallView } from '../../shared/ipc.js';
import { raw } from '../../shared/json.js';
import type { RuleCondition, RuleDraft } from '../../shared/rule.js';
import { isNamed, pointerBelow } from '../../shared/rule-named.js';
import { readArguments } from '../run/fields.js';

const LONGEST_VALUE = 500;
const MOST_CONDITIONS = 20;

/** The rule that speaks of exactly this call and of no other: every argument is what it is here. */
export function draftFor(call: Pick<CallView, 'name' | 'sentAs'>, text: string): RuleDraft {
  return {
    name: call.name.slice(0, 100),
    verdict: 'approve',
    reason: '',
    conditions: conditionsFor(call, text),
    others: false,
    days: 30,
    limit: 100,
  };
}

function conditionsFor({ sentAs }: Pick<CallView, 'sentAs'>, text: string): RuleCondition[] {
  const args = readArguments(text, sentAs);
  const none: RuleCondition[] = [{ pointer: '', test: 'equals', value: '{}' }];
  if (args.kind !== 'fields' || args.empty) return none;
  return args.fields
    .flatMap(({ key, node }): RuleCondition[] => {
      const value = raw(args.source, node);
      return key === null || value.length > LONGEST_VALUE
        ? []
        : [{ pointer: pointerBelow('', key), test: 'equals', value }];
    })
    .slice(0, MOST_CONDITIONS);
}

/** The arguments that no condition names: they keep the rule from speaking of the call unless others may be there. */
export function notNamed(
  call: Pick<CallView, 'sentAs'>,
  text: string,
  { conditions, others }: Pick<RuleDraft, 'conditions' | 'others'>,
): string[] {
  const args = readArguments(text, call.sentAs);
  if (others || args.kind !== 'fields' || conditions.some(({ pointer }) => pointer === '')) return [];
  return args.fields.flatMap(({ key, node }) =>
    key === null || isNamed(node, pointerBelow('', key), conditions) ? [] : [key],
  );
}

/** Another test of the same value, with what can be kept of it. */
export function withTest(condition: RuleCondition, test: RuleCondition['test']): RuleCondition {
  const { pointer } = condition;
  const value = condition.test === 'equals' ? condition.value : condition.test === 'one_of' ? condition.values[0] : '';
  switch (test) {
    case 'equals':
      return { pointer, test, value: value ?? '' };
    case 'one_of':
      return { pointer, test, values: value ? [value] : [] };
    case 'range':
      return { pointer, test, min: value || null, max: value || null };
    case 'prefix':
      return { pointer, test, prefix: asText(value ?? '') };
  }
}

/** The text that a JSON string says; anything else as it is written. */
function asText(value: string): string {
  try {
    const parsed: unknown = JSON.parse(value);
    return typeof parsed === 'string' ? parsed : value;
  } catch {
    return value;
  }
}
