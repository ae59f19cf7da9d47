import type { Rule, RuleCondition } from '../../shared/rule.js';
import { OneLine } from '../run/OneLine.js';
import { text as words } from '../text.js';

const t = words.rules;

/** A rule in words: what it says, of which tool, and when. */
export function RuleWords({ rule }: { rule: Rule }) {
  return (
    <>
      <p>
        <strong>{t.verdict[rule.verdict]}</strong>{' '}
        <span className="mono">
          <OneLine text={rule.tool} />
        </span>{' '}
        <OneLine text={t.from(rule.source)} />{' '}
        <OneLine text={rule.server === null ? t.noServer : t.server(rule.server)} /> {t.when}
      </p>
      <ul>
        {rule.conditions.map((condition) => (
          <li key={JSON.stringify(condition)}>
            <ConditionWords condition={condition} />
          </li>
        ))}
        <li className={rule.others ? 'warn' : ''}>{rule.others ? t.others : t.noOthers}</li>
      </ul>
      {rule.verdict === 'reject' && rule.reason !== '' && (
        <p>
          {t.reason} <OneLine text={rule.reason} />
        </p>
      )}
    </>
  );
}

function ConditionWords({ condition }: { condition: RuleCondition }) {
  const { pointer } = condition;
  return (
    <>
      <span className="mono">{pointer === '' ? t.whole : <OneLine text={pointer} />}</span>{' '}
      <Value condition={condition} />
    </>
  );
}

function Value({ condition }: { condition: RuleCondition }) {
  switch (condition.test) {
    case 'equals':
      return (
        <>
          {t.is} <Json text={condition.value} />
        </>
      );
    case 'one_of':
      return (
        <>
          {t.oneOf}{' '}
          {condition.values.map((value, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a rule never changes
            <span key={i}>
              {i > 0 && ', '}
              <Json text={value} />
            </span>
          ))}
        </>
      );
    case 'range':
      return <>{t.between(condition.min, condition.max)}</>;
    case 'prefix':
      return (
        <>
          {t.begins} <Json text={JSON.stringify(condition.prefix)} />
        </>
      );
  }
}

function Json({ text }: { text: string }) {
  return (
    <span className="mono">
      <OneLine text={text} />
    </span>
  );
}
