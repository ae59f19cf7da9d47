import type { RuleCondition } from '../../shared/rule.js';
import { SelectField, TextField } from '../settings/fields.js';
import { LinesField } from '../settings/LinesField.js';
import { fromLines, toLines } from '../settings/lines.js';
import { text as words } from '../text.js';
import { withTest } from './draft-rule.js';

const t = words.rules.make;
const TESTS = ['equals', 'one_of', 'range', 'prefix'] as const;

interface Props {
  condition: RuleCondition;
  change: (condition: RuleCondition) => void;
}

/** What one value of the arguments must be. */
export function ConditionFields({ condition, change }: Props) {
  return (
    <div className="condition">
      <TextField
        label={t.pointer}
        value={condition.pointer}
        onChange={(pointer) => change({ ...condition, pointer })}
        mono
      />
      <SelectField
        label={t.test}
        value={condition.test}
        options={TESTS.map((test) => [test, t.tests[test]] as const)}
        onChange={(test) => change(withTest(condition, test))}
      />
      <ValueFields condition={condition} change={change} />
    </div>
  );
}

function ValueFields({ condition, change }: Props) {
  switch (condition.test) {
    case 'equals':
      return (
        <TextField label={t.value} value={condition.value} onChange={(value) => change({ ...condition, value })} mono />
      );
    case 'one_of':
      return (
        <LinesField
          label={t.values}
          hint={t.valuesHint}
          value={condition.values}
          print={toLines}
          parse={fromLines}
          onChange={(values) => change({ ...condition, values })}
        />
      );
    case 'range':
      return (
        <>
          <TextField
            label={t.min}
            value={condition.min ?? ''}
            onChange={(min) => change({ ...condition, min: min === '' ? null : min })}
            mono
          />
          <TextField
            label={t.max}
            value={condition.max ?? ''}
            onChange={(max) => change({ ...condition, max: max === '' ? null : max })}
            mono
          />
        </>
      );
    case 'prefix':
      return (
        <TextField
          label={t.prefix}
          value={condition.prefix}
          onChange={(prefix) => change({ ...condition, prefix })}
          mono
        />
      );
  }
}
