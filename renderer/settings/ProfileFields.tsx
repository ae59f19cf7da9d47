import type { Profile } from '../../shared/settings.js';
import { text as words } from '../text.js';
import { AreaField, CheckField, NumberField, SelectField } from './fields.js';
import { useSettings } from './settings-store.js';

const t = words.settings.sources;

/** Model, tool servers and bounds with which a run of this source goes on here. */
export function ProfileFields({ profile, set }: { profile: Profile; set: (profile: Profile) => void }) {
  const { models, servers } = useSettings((s) => s.settings);
  const names = [...new Set(['', profile.model, ...models.map((model) => model.name)])];
  const listed = [...new Set([...profile.servers, ...servers.map((server) => server.name)])];
  return (
    <div className="profile">
      <SelectField
        label={t.model}
        value={profile.model}
        options={names.map((name) => [name, name === '' ? t.noModel : name] as const)}
        onChange={(model) => set({ ...profile, model })}
      />
      <section className="setting" aria-label={t.servers}>
        <span className="name">{t.servers}</span>
        {listed.length === 0 && <span className="faint">{t.noServers}</span>}
        {listed.map((name) => (
          <CheckField
            key={name}
            label={name}
            value={profile.servers.includes(name)}
            onChange={(on) =>
              set({ ...profile, servers: on ? [...profile.servers, name] : profile.servers.filter((s) => s !== name) })
            }
          />
        ))}
      </section>
      <AreaField
        label={t.prompt}
        rows={4}
        value={profile.systemPrompt}
        onChange={(systemPrompt) => set({ ...profile, systemPrompt })}
      />
      <NumberField
        label={t.historyLimit}
        hint={t.historyHint}
        value={profile.historyLimit}
        onChange={(historyLimit) => set({ ...profile, historyLimit })}
      />
      <NumberField
        label={t.maxSteps}
        min={1}
        value={profile.maxSteps}
        onChange={(maxSteps) => set({ ...profile, maxSteps })}
      />
    </div>
  );
}
