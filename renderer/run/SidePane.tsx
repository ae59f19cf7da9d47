import { type SideTab, useUi } from '../app/ui-store.js';
import { EventList } from '../history/EventList.js';
import { text as words } from '../text.js';
import { Conversation } from './Conversation.js';
import { RawRecord } from './RawRecord.js';
import { useRun } from './run-store.js';

const TABS: readonly SideTab[] = ['conversation', 'raw', 'history'];

/** The right pane: conversation at this step, the record's own text, or what happened to this run so far. */
export function SidePane() {
  const { side, sideOpen, toggleSide } = useUi();
  const detail = useRun((s) => s.detail);
  return (
    <aside className={sideOpen ? 'side open' : 'side'} aria-label={words.side.label}>
      <div className="tabs" role="tablist" aria-label={words.side.label}>
        {TABS.map((tab, i) => (
          <button
            key={tab}
            id={`side-tab-${tab}`}
            type="button"
            role="tab"
            aria-selected={side === tab}
            aria-controls="side-panel"
            tabIndex={side === tab ? 0 : -1}
            onClick={() => useUi.setState({ side: tab, sideOpen: true })}
            onKeyDown={(event) => {
              const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
              if (step === undefined) return;
              const next = TABS[(i + step + TABS.length) % TABS.length] ?? tab;
              useUi.setState({ side: next, sideOpen: true });
              document.getElementById(`side-tab-${next}`)?.focus();
            }}
          >
            {words.side.tab[tab]}
          </button>
        ))}
        <button type="button" className="link close-side" onClick={() => toggleSide(side)}>
          {words.close}
        </button>
      </div>
      <div id="side-panel" className="side-panel" role="tabpanel" aria-labelledby={`side-tab-${side}`}>
        {detail === null && <p className="pane-note faint">{words.side.none}</p>}
        {detail && side === 'conversation' && <Conversation detail={detail} />}
        {detail && side === 'raw' && <RawRecord key={detail.row.id} itemId={detail.row.id} />}
        {detail && side === 'history' && <EventList events={detail.history} label={words.history.ofRun} />}
      </div>
    </aside>
  );
}
