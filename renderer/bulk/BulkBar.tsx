import { focusCard } from '../app/focus.js';
import { useDecision } from '../decision/decision-store.js';
import { GuardedButton } from '../decision/GuardedButton.js';
import { useGuard } from '../decision/guard-store.js';
import { Key } from '../decision/Key.js';
import { NameForm } from '../decision/NameForm.js';
import { useQueue } from '../queue/queue-store.js';
import { OneLine } from '../run/OneLine.js';
import { said } from '../run/said.js';
import { useSettings } from '../settings/settings-store.js';
import { text as words } from '../text.js';
import { approveMarked, openRejectMarked, whyNotTogether } from './bulk-acts.js';
import { useBulk } from './bulk-store.js';
import { type Group, groupInFront, groupsOf } from './groups.js';

/** Stands where the decision bar stands while runs are marked: the keys that decide are about them, and it says so. */
export function BulkBar() {
  const { marks, chosen, busy } = useBulk();
  const selected = useQueue((s) => s.selected);
  const readOnly = useSettings((s) => s.health?.readOnly ?? null);
  const naming = useDecision((s) => s.mode.kind === 'naming');
  const ready = useGuard((s) => s.ready);
  const groups = groupsOf(marks);
  const group = groupInFront(groups, chosen, selected);
  if (group === null) return null;
  const why = whyNotTogether(group, readOnly);
  const n = group.rows.length;
  return (
    <section
      className="decision-bar bulk-bar"
      data-testid="bulk-bar"
      data-ready={ready && !busy}
      aria-label={words.bulk.label}
    >
      <p role="status">
        <strong>{words.bulk.marked(marks.size)}</strong> <span className="faint">{words.bulk.means}</span>
      </p>
      {groups.length > 1 && <Groups groups={groups} current={group} />}
      {naming ? (
        <NameForm />
      ) : (
        <>
          {why !== null && (
            <p className="why-off" id="bulk-off" data-testid="bulk-off">
              {words.bulk.off} {why}
            </p>
          )}
          <div className="buttons">
            <GuardedButton
              testId="bulk-reject"
              off={group.tool === null}
              keys={['reject']}
              onGesture={(gesture) => void openRejectMarked(gesture)}
            >
              {words.bulk.reject(n)}
            </GuardedButton>
            <button type="button" className="btn" data-testid="bulk-clear" onClick={clear}>
              {words.bulk.clear} <Key action="back" />
            </button>
            <span className="spacer" />
            <GuardedButton
              className="btn go"
              testId="bulk-approve"
              off={why !== null}
              describedBy={why === null ? undefined : 'bulk-off'}
              keys={['approve']}
              about={said(group.tool ?? '')}
              onGesture={(gesture) => void approveMarked(gesture)}
            >
              {words.bulk.approve(n)}
            </GuardedButton>
          </div>
        </>
      )}
    </section>
  );
}

function clear(): void {
  useBulk.getState().clear();
  focusCard();
}

/** Which tool comes next: one act takes one tool and one class. */
function Groups({ groups, current }: { groups: readonly Group[]; current: Group }) {
  return (
    <fieldset className="presets">
      <legend className="faint">{words.bulk.groups}</legend>
      {groups.map(({ key, tool, effect, rows }) => (
        <button
          key={key}
          type="button"
          className="chip"
          aria-pressed={key === current.key}
          onClick={() => useBulk.setState({ chosen: key })}
        >
          {tool === null ? words.bulk.mixed : <OneLine text={tool} />} × {rows.length} · {words.effect[effect]}
        </button>
      ))}
    </fieldset>
  );
}
