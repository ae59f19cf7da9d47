import { useCurrent } from '../decision/read-current.js';
import { useRun } from '../run/run-store.js';
import { said } from '../run/said.js';
import { text as words } from '../text.js';
import { mayBeRule, openRule } from './open-rule.js';

/** The way from a call to a rule for calls like it; where no rule could answer it there is none. */
export function RuleLink() {
  const current = useCurrent();
  const shown = useRun((s) => (current?.call ? s.texts[current.call.index] : undefined));
  if (!current?.call || !mayBeRule(current, shown)) return null;
  return (
    <div>
      <dt>{words.rules.make.term}</dt>
      <dd>
        <button type="button" className="link" data-testid="make-rule" onClick={openRule}>
          {words.rules.make.open}
          <span className="visually-hidden"> {words.rules.make.about(said(current.call.name))}</span>
        </button>
      </dd>
    </div>
  );
}
