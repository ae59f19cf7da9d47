import { lowestBeside, type OfferedTool, type Standing } from '../../shared/tool-import.js';
import { EFFECTS, type Effect, type ToolRow } from '../../shared/tool-table.js';
import { Marked } from '../run/Marked.js';
import { OneLine } from '../run/OneLine.js';
import { said } from '../run/said.js';
import { text as words } from '../text.js';

const t = words.settings.importTools;

export interface Proposed {
  tool: OfferedTool;
  row: ToolRow;
  standing: Standing;
  ticked: boolean;
}

interface Props {
  rows: readonly Proposed[];
  tick: (name: string, on: boolean) => void;
  classify: (name: string, effect: Effect) => void;
}

/** One line a tool: what the server says of it, marked as the server's words, and the row that would be added. */
export function ImportRows({ rows, tick, classify }: Props) {
  return (
    <ul className="plain import-list">
      {rows.map(({ tool, row, standing, ticked }) => (
        <li key={tool.name} className="import-tool" data-testid="import-tool">
          <label>
            <input
              type="checkbox"
              checked={ticked && standing.kind !== 'same'}
              disabled={standing.kind === 'same'}
              onChange={(event) => tick(tool.name, event.target.checked)}
            />{' '}
            <span className="mono">
              <OneLine text={tool.name} />
            </span>
          </label>
          <label className="import-class">
            <span className="visually-hidden">{t.classOf(said(tool.name))}</span>
            <select
              value={row.effect}
              disabled={standing.kind === 'same'}
              onChange={(event) => {
                const effect = EFFECTS.find((one) => one === event.target.value);
                if (effect) classify(tool.name, effect);
              }}
            >
              {EFFECTS.slice(EFFECTS.indexOf(lowestBeside(tool.claims))).map((effect) => (
                <option key={effect} value={effect}>
                  {words.effect[effect]}
                </option>
              ))}
            </select>
          </label>
          <p className="claims">
            {Object.keys(tool.claims).length > 0 ? words.verdict.claims(tool.claims) : t.noClaims}
          </p>
          {tool.description !== '' && (
            <p className="faint server-words">
              {t.itsWords} <Marked text={tool.description} line />
            </p>
          )}
          <Conflict standing={standing} />
        </li>
      ))}
    </ul>
  );
}

function Conflict({ standing }: { standing: Standing }) {
  if (standing.kind === 'new') return null;
  const { row, at } = standing;
  const effect = words.effect[row.effect];
  return (
    <p className={standing.kind === 'wider' ? 'warn' : 'faint'}>
      <Marked text={standing.kind === 'same' ? t.same(at + 1, effect) : t.wider(at + 1, row.tool, effect)} line />
    </p>
  );
}
