import { EFFECTS, type ToolRow } from '../../shared/tool-table.js';
import { text as words } from '../text.js';
import { CheckField, SelectField, TextField } from './fields.js';
import { ListEditor } from './ListEditor.js';
import { Section } from './Section.js';

const t = words.settings.tools;
const newRow = (): ToolRow => ({
  source: '*',
  server: '*',
  tool: '',
  effect: 'changes',
  repeatable: false,
  noReview: false,
});

/** The reviewer's own word on each tool. First match wins; what no row names changes something and is not repeatable. */
export function ToolTable() {
  return (
    <Section
      title={t.title}
      hint={t.hint}
      part={(s) => s.tools}
      withPart={(settings, tools) => ({ ...settings, tools })}
    >
      {(tools, change) => (
        <ListEditor
          items={tools}
          onChange={change}
          nameOf={(row) => row.tool}
          adds={[{ label: t.add, make: newRow }]}
          ordered
        >
          {(row, set) => (
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
              <CheckField label={t.noReview} value={row.noReview} onChange={(noReview) => set({ ...row, noReview })} />
            </div>
          )}
        </ListEditor>
      )}
    </Section>
  );
}
