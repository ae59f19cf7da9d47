import { useState } from 'react';
import { countsByRow, type RowCount } from '../../shared/tool-import.js';
import { EFFECTS, type ToolRow } from '../../shared/tool-table.js';
import { count as number } from '../app/format.js';
import { text as words } from '../text.js';
import { CheckField, SelectField, TextField } from './fields.js';
import { ImportTools } from './ImportTools.js';
import { ListEditor } from './ListEditor.js';
import { Section } from './Section.js';
import { useCounts } from './use-counts.js';

const t = words.settings.tools;
const newRow = (): ToolRow => ({
  source: '*',
  server: '*',
  tool: '',
  effect: 'changes',
  repeatable: false,
  noReview: false,
});

const PERIODS = [7, 30, 90, 366] as const;

/** The reviewer's own word on each tool. First match wins; what no row names changes something and is not repeatable. */
export function ToolTable() {
  const [days, setDays] = useState<number>(30);
  const counts = useCounts(days);
  return (
    <Section
      title={t.title}
      hint={t.hint}
      part={(s) => s.tools}
      withPart={(settings, tools) => ({ ...settings, tools })}
    >
      {(tools, change) => (
        <>
          <ImportTools table={tools} change={change} />
          {tools.length > 0 && (
            <SelectField
              label={t.period}
              value={String(days)}
              options={PERIODS.map((period) => [String(period), t.days(period)] as const)}
              onChange={(chosen) => setDays(Number(chosen))}
            />
          )}
          <ListEditor
            items={tools}
            onChange={change}
            nameOf={(row) => row.tool}
            adds={[{ label: t.add, make: newRow }]}
            ordered
          >
            {(row, set, i) => (
              <div className="tool-row">
                <TextField label={t.tool} value={row.tool} onChange={(tool) => set({ ...row, tool })} mono />
                <SelectField
                  label={t.effect}
                  value={row.effect}
                  options={EFFECTS.map((effect) => [effect, words.effect[effect]] as const)}
                  onChange={(effect) => set({ ...row, effect })}
                />
                <TextField label={t.source} value={row.source} onChange={(source) => set({ ...row, source })} mono />
                <TextField label={t.server} value={row.server} onChange={(server) => set({ ...row, server })} mono />
                <CheckField
                  label={t.repeatable}
                  value={row.repeatable}
                  onChange={(repeatable) => set({ ...row, repeatable })}
                />
                <CheckField
                  label={t.noReview}
                  value={row.noReview}
                  onChange={(noReview) => set({ ...row, noReview })}
                />
                <Counts count={counts === null ? null : (countsByRow(tools, counts)[i] ?? null)} />
              </div>
            )}
          </ListEditor>
        </>
      )}
    </Section>
  );
}

/** What people and rules decided on the calls of a row in the period, and how many failed. */
function Counts({ count }: { count: RowCount | null }) {
  if (count === null) return null;
  const { approved, edited, rejected, failed } = count;
  return (
    <p className="faint counts" data-testid="row-counts">
      {t.counts(number(approved), number(edited), number(rejected), number(failed))}
    </p>
  );
}
