import type { Source } from '../../shared/settings.js';
import { text as words } from '../text.js';
import { CheckField, SelectField, TextField } from './fields.js';
import { ListEditor } from './ListEditor.js';
import { ProfileFields } from './ProfileFields.js';
import { Section } from './Section.js';

const t = words.settings.sources;

/** Where runs come from, where they go on, and what continuing here needs to know of each (H13, H14). */
export function Sources() {
  return (
    <Section
      title={t.title}
      hint={t.hint}
      part={(s) => s.sources}
      withPart={(settings, sources) => ({ ...settings, sources })}
    >
      {(sources, change) => (
        <ListEditor<Source>
          items={sources}
          onChange={change}
          nameOf={(source) => source.name}
          adds={[{ label: t.add, make: () => ({ name: '', wholeBatchOnly: false }) }]}
        >
          {(source, set) => <SourceFields source={source} set={set} />}
        </ListEditor>
      )}
    </Section>
  );
}

function SourceFields({ source, set }: { source: Source; set: (source: Source) => void }) {
  const { route, profile, ...rest } = source;
  const withRoute = route === undefined ? rest : { ...rest, route };
  return (
    <>
      <TextField label={t.name} value={source.name} onChange={(name) => set({ ...source, name })} mono />
      <SelectField
        label={t.route}
        hint={t.routeHint}
        value={route ?? 'default'}
        options={[
          ['default', t.byDefault],
          ['here', words.route.here],
          ['handed_over', words.route.handed_over],
        ]}
        onChange={(chosen) => {
          const base = profile === undefined ? rest : { ...rest, profile };
          set(chosen === 'default' ? base : { ...base, route: chosen });
        }}
      />
      <CheckField
        label={t.wholeBatch}
        hint={t.wholeBatchHint}
        value={source.wholeBatchOnly}
        onChange={(wholeBatchOnly) => set({ ...source, wholeBatchOnly })}
      />
      <CheckField
        label={t.profile}
        hint={t.profileHint}
        value={profile !== undefined}
        onChange={(on) =>
          set(
            on
              ? { ...source, profile: { systemPrompt: '', model: '', servers: [], historyLimit: 0, maxSteps: 32 } }
              : withRoute,
          )
        }
      />
      {profile !== undefined && (
        <ProfileFields profile={profile} set={(changed) => set({ ...source, profile: changed })} />
      )}
    </>
  );
}
