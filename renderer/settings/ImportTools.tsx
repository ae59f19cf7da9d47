import { useState } from 'react';
import { type OfferedTool, proposedRow, standingIn, withRow } from '../../shared/tool-import.js';
import type { Effect, ToolRow } from '../../shared/tool-table.js';
import { call as ask } from '../bridge.js';
import { Marked } from '../run/Marked.js';
import { text as words } from '../text.js';
import { ImportRows } from './ImportRows.js';
import { useSettings } from './settings-store.js';

const t = words.settings.importTools;

interface Offer {
  server: string;
  tools: readonly OfferedTool[];
}

/** Rows for the tools that a connected server offers: proposed, chosen one by one, and saved with the table. */
export function ImportTools({ table, change }: { table: readonly ToolRow[]; change: (table: ToolRow[]) => void }) {
  const servers = useSettings((s) => s.settings.servers);
  const [offer, setOffer] = useState<Offer | null>(null);
  const [busy, setBusy] = useState<string | null>(null);
  const [fault, setFault] = useState('');

  async function look(server: string): Promise<void> {
    setBusy(server);
    setFault('');
    setOffer(null);
    const reply = await ask('server:tools', server);
    setBusy(null);
    if (reply.ok) setOffer({ server, tools: reply.value });
    else setFault(reply.refusal.text);
  }

  if (servers.length === 0) return null;
  return (
    <div className="import-tools" data-testid="import-tools">
      <div className="buttons">
        {servers.map(({ name }) => (
          <button key={name} type="button" className="btn" disabled={busy !== null} onClick={() => void look(name)}>
            {busy === name ? t.looking : t.button(name)}
          </button>
        ))}
      </div>
      {fault !== '' && (
        <p className="refused" role="alert">
          <Marked text={fault} />
        </p>
      )}
      {offer && (
        <Chosen
          key={offer.server}
          offer={offer}
          table={table}
          add={(rows) => {
            change(rows.reduce<ToolRow[]>(withRow, [...table]));
            setOffer(null);
          }}
          leave={() => setOffer(null)}
        />
      )}
    </div>
  );
}

interface ChosenProps {
  offer: Offer;
  table: readonly ToolRow[];
  add: (rows: readonly ToolRow[]) => void;
  leave: () => void;
}

/** Nothing is ticked at first, and nothing is added that is not ticked. */
function Chosen({ offer, table, add, leave }: ChosenProps) {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const [classes, setClasses] = useState<ReadonlyMap<string, Effect>>(new Map());
  const rows = offer.tools.map((tool) => {
    const proposed = proposedRow(offer.server, tool);
    const row: ToolRow = { ...proposed, effect: classes.get(tool.name) ?? proposed.effect };
    return { tool, row, standing: standingIn(table, row), ticked: ticked.has(tool.name) };
  });
  const chosen = rows.filter((one) => one.ticked && one.standing.kind !== 'same');
  return (
    <section aria-label={t.title(offer.server)}>
      <h3>{t.title(offer.server)}</h3>
      <p className="faint">{t.means}</p>
      {offer.tools.length === 0 && <p>{t.none}</p>}
      <ImportRows
        rows={rows}
        tick={(name, on) => {
          const next = new Set(ticked);
          if (on) next.add(name);
          else next.delete(name);
          setTicked(next);
        }}
        classify={(name, effect) => setClasses(new Map(classes).set(name, effect))}
      />
      <div className="buttons">
        <span className="spacer" />
        <button type="button" className="btn" onClick={leave}>
          {words.cancel}
        </button>
        <button
          type="button"
          className="btn solid"
          data-testid="import-add"
          disabled={chosen.length === 0}
          onClick={() => add(chosen.map(({ row }) => row))}
        >
          {t.add(chosen.length)}
        </button>
      </div>
    </section>
  );
}
