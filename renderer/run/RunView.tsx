import { useEffect, useLayoutEffect, useRef } from 'react';
import { useNow } from '../app/clock.js';
import { CARD_ID } from '../app/focus.js';
import { useUi } from '../app/ui-store.js';
import { BulkBar } from '../bulk/BulkBar.js';
import { BulkPanel } from '../bulk/BulkPanel.js';
import { bulkShown, useBulk } from '../bulk/bulk-store.js';
import { ApproveFrame } from '../decision/ApproveFrame.js';
import { DecisionBar } from '../decision/DecisionBar.js';
import { IDLE, useDecision } from '../decision/decision-store.js';
import { Shown } from '../decision/GuardedButton.js';
import { useGuard } from '../decision/guard-store.js';
import { useCurrent } from '../decision/read-current.js';
import { useQueue } from '../queue/queue-store.js';
import { text as words } from '../text.js';
import { Card } from './Card.js';
import { Marked } from './Marked.js';
import { useRun } from './run-store.js';
import { said } from './said.js';
import { useOnScreen } from './use-on-screen.js';

/** The middle of the window: the selected run, whatever its state, and the decision bar under it. */
export function RunView() {
  const selected = useQueue((s) => s.selected);
  const open = useRun((s) => s.open);
  const detail = useRun((s) => s.detail);
  const refusal = useRun((s) => s.refusal);
  const now = useNow(10_000);
  const current = useCurrent();
  // While runs are marked, what a decision is about is all of them and nothing else.
  const marked = useBulk(bulkShown);
  const many = useBulk((s) => s.phase.kind !== 'marking');
  const shown =
    marked ?? current?.shown ?? (detail && JSON.stringify([detail.row.id, detail.row.status, detail.binding]));

  useEffect(() => {
    useDecision.getState().setMode(IDLE);
    useBulk.getState().leave();
    void open(selected);
  }, [selected, open]);

  const card = useRef<HTMLElement>(null);
  const onScreen = useOnScreen(card, shown);

  // In the commit itself: from this moment on the new content is what a decision would be about. A card that nobody
  // can see is about nothing.
  useLayoutEffect(() => useGuard.getState().show(onScreen ? shown : null), [shown, onScreen]);

  // What was armed for another content is not armed.
  const mode = useDecision((s) => s.mode);
  const base = current?.base ?? null;
  useEffect(() => {
    if (mode.kind === 'armed' && mode.base !== base) useDecision.getState().setMode(IDLE);
    if (base === null && mode.kind !== 'idle' && mode.kind !== 'snoozing') useDecision.getState().setMode(IDLE);
  }, [mode, base]);

  const marks = useBulk((s) => s.marks);
  const frameContent = marks.size > 0 || many ? `bulk ${[...marks.keys()].join('\n')}` : (base ?? shown ?? '');

  return (
    <Shown value={shown ?? ''}>
      <main
        ref={card}
        id={CARD_ID}
        className="middle"
        data-testid="card"
        data-item-id={detail?.row.id}
        data-status={detail?.row.status}
        tabIndex={-1}
        aria-label={detail ? words.card.label(said(detail.row.tools[0] ?? detail.row.runId)) : words.card.none}
        onFocus={(event) => {
          const from = event.relatedTarget;
          if (!(from instanceof Node && event.currentTarget.contains(from))) useGuard.getState().focusEntered();
        }}
      >
        <button type="button" className="btn quiet back-to-list" onClick={() => useUi.setState({ pane: 'list' })}>
          ‹ {words.card.back}
        </button>
        {many && <BulkPanel />}
        {!many && selected === null && <h1 className="empty-note">{words.card.none}</h1>}
        {!many && selected !== null && detail === null && (
          <p className="empty-note" role="status">
            {refusal ? <Marked text={refusal.text} /> : words.loading}
          </p>
        )}
        {!many && detail && <Card detail={detail} current={current} now={now} />}
        {!many && marked !== null && <BulkBar />}
        {marked === null && current && <DecisionBar current={current} />}
        <ApproveFrame content={frameContent} many={many} />
      </main>
    </Shown>
  );
}
