import { useState } from 'react';
import { type RuleCondition, RuleDraft } from '../../shared/rule.js';
import { Dialog } from '../app/Dialog.js';
import { note } from '../app/toast-store.js';
import { type RuleFrom, useUi } from '../app/ui-store.js';
import { call as ask } from '../bridge.js';
import { Marked } from '../run/Marked.js';
import { said } from '../run/said.js';
import { faultsOf } from '../settings/faults.js';
import { CheckField, NumberField, SelectField, TextField } from '../settings/fields.js';
import { ListEditor } from '../settings/ListEditor.js';
import { text as words } from '../text.js';
import { ConditionFields } from './ConditionFields.js';
import { draftFor, notNamed } from './draft-rule.js';
import { useRules } from './rules-store.js';

const t = words.rules.make;
const newCondition = (): RuleCondition => ({ pointer: '/', test: 'equals', value: '' });

const close = (): void => useUi.setState({ rule: null });

/** A rule for calls like this one, filled with what this one says. Making it decides nothing. */
export function RuleDialog({ itemId, call, text }: RuleFrom) {
  const [draft, setDraft] = useState(() => draftFor(call, text));
  const [fault, setFault] = useState('');
  const [asking, setAsking] = useState(false);
  const put = (change: Partial<RuleDraft>): void => {
    setFault('');
    setDraft({ ...draft, ...change });
  };
  const missing = notNamed(call, text, draft);

  async function make(): Promise<void> {
    const parsed = RuleDraft.safeParse(draft);
    if (!parsed.success) return setFault(faultsOf(parsed.error));
    setAsking(true);
    const reply = await ask('rules:add', itemId, call.index, parsed.data);
    setAsking(false);
    if (!reply.ok) return setFault(reply.refusal.text);
    if (reply.value === null) return setFault(words.rules.declined);
    await useRules.getState().load();
    note(t.made(reply.value.name));
    close();
  }

  return (
    <Dialog title={t.title(said(call.name))} onClose={close}>
      <form
        className="rule-form"
        data-testid="rule-form"
        onSubmit={(event) => {
          event.preventDefault();
          void make();
        }}
      >
        <p className="faint">{t.means}</p>
        <TextField label={t.name} value={draft.name} onChange={(name) => put({ name })} />
        <SelectField
          label={t.verdict}
          value={draft.verdict}
          options={[
            ['approve', t.approve],
            ['reject', t.reject],
          ]}
          onChange={(verdict) => put({ verdict })}
        />
        {draft.verdict === 'reject' && (
          <TextField label={t.reason} value={draft.reason} onChange={(reason) => put({ reason })} />
        )}
        <h3>{t.conditions}</h3>
        <ListEditor
          items={draft.conditions}
          onChange={(conditions) => put({ conditions })}
          nameOf={({ pointer }) => (pointer === '' ? words.rules.whole : said(pointer))}
          adds={[{ label: t.add, make: newCondition }]}
        >
          {(condition, change) => <ConditionFields condition={condition} change={change} />}
        </ListEditor>
        <CheckField label={t.others} value={draft.others} onChange={(others) => put({ others })} />
        {missing.length > 0 && (
          <p className="warn">
            <Marked text={t.notNamed(missing.join(', '))} />
          </p>
        )}
        <NumberField label={t.days} min={1} value={draft.days} onChange={(days) => put({ days })} />
        <NumberField label={t.limit} min={1} value={draft.limit} onChange={(limit) => put({ limit })} />
        <div className="buttons">
          {fault !== '' && (
            <span className="refused" role="alert">
              <Marked text={fault} />
            </span>
          )}
          <span className="spacer" />
          <button type="submit" className="btn solid" data-testid="rule-make" disabled={asking}>
            {asking ? t.making : t.submit}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
