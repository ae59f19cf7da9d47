import { useEffect, useId, useState } from 'react';
import type { RuleState, RuleView } from '../../shared/rule.js';
import { when } from '../app/format.js';
import { listen } from '../bridge.js';
import { Marked } from '../run/Marked.js';
import { said } from '../run/said.js';
import { text as words } from '../text.js';
import { RuleWords } from './RuleWords.js';
import { useRules } from './rules-store.js';

const t = words.rules;
const ORDER = ['live', 'shadow', 'used_up', 'expired', 'off'] as const;

/** Every rule with what it would have said, its switch, and one switch for all. */
export function RulesSection() {
  const { rules, paused, loaded, refusal, load, pause } = useRules();
  const id = useId();
  useEffect(() => {
    void load();
    return listen('runs:changed', () => void load());
  }, [load]);
  const sorted = rules.toSorted((a, b) => ORDER.indexOf(a.standing) - ORDER.indexOf(b.standing));
  return (
    <section className="section rules" aria-labelledby={id} data-testid="rules">
      <h2 id={id}>{t.title}</h2>
      <p className="faint">{t.hint}</p>
      {refusal && (
        <p className="refused" role="alert">
          <Marked text={refusal.text} />
        </p>
      )}
      {paused && (
        <p className="warn" role="status">
          {t.paused}
        </p>
      )}
      {rules.length > 0 && (
        <div className="buttons">
          <button type="button" className="btn" data-testid="rules-pause" onClick={() => void pause(!paused)}>
            {paused ? t.goOn : t.pause}
          </button>
        </div>
      )}
      {loaded && rules.length === 0 && <p>{t.none}</p>}
      {sorted.map((view) => (
        <OneRule key={view.rule.id} view={view} />
      ))}
    </section>
  );
}

function OneRule({ view }: { view: RuleView }) {
  const { rule, revision, standing, figures } = view;
  const { approved, edited, rejected } = figures;
  const wrong = rule.verdict === 'approve' ? edited + rejected : approved + edited;
  const over = standing === 'off' || standing === 'expired';
  return (
    <fieldset className={over ? 'rule over' : 'rule'} data-testid="rule" data-standing={standing}>
      <legend>
        <Marked text={rule.name} line />
      </legend>
      <p className={`standing ${standing}`}>{t.standing[standing]}</p>
      <RuleWords rule={rule} />
      <p data-testid="rule-figures">
        {t.figures(rule.verdict, approved, edited, rejected)}{' '}
        {wrong > 0 && <strong className="warn">{t.wrong(wrong)}</strong>}
      </p>
      <p className="faint">
        <Marked text={t.facts(rule.owner, rule.used, rule.limit, when(rule.expiresAt))} />
      </p>
      {!over && (
        <div className="buttons item-buttons">
          {rule.state === 'shadow' && <Move view={{ rule, revision }} to="live" words={t.live} />}
          {rule.state === 'live' && <Move view={{ rule, revision }} to="shadow" words={t.shadow} />}
          <Move view={{ rule, revision }} to="off" words={t.off} />
        </div>
      )}
    </fieldset>
  );
}

interface MoveProps {
  view: Pick<RuleView, 'rule' | 'revision'>;
  to: RuleState;
  words: string;
}

function Move({ view, to, words: shown }: MoveProps) {
  const move = useRules((s) => s.move);
  const [asking, setAsking] = useState(false);
  return (
    <button
      type="button"
      className={to === 'live' ? 'btn solid' : 'btn'}
      aria-disabled={asking}
      onClick={(event) => {
        // Not switched off while the system asks: the keyboard stays on it. A second press of the same gesture is none.
        if (asking || event.detail > 1) return;
        setAsking(true);
        void move(view.rule.id, view.revision, to).finally(() => setAsking(false));
      }}
    >
      {shown}
      <span className="visually-hidden"> {t.which(said(view.rule.name))}</span>
    </button>
  );
}
