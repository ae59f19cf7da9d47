import type { ModelEndpoint } from '../../shared/settings.js';
import { text as words } from '../text.js';
import { TextField } from './fields.js';
import { ListEditor } from './ListEditor.js';
import { SecretEntry } from './SecretEntry.js';
import { Section } from './Section.js';
import { TestButton } from './TestButton.js';

const t = words.settings.models;

/** Model endpoints. A key goes to the system's key store and is never read back. */
export function Models() {
  return (
    <Section
      title={t.title}
      hint={t.hint}
      part={(s) => s.models}
      withPart={(settings, models) => ({ ...settings, models })}
    >
      {(models, change, dirty) => (
        <ListEditor<ModelEndpoint>
          items={models}
          onChange={change}
          nameOf={(model) => model.name}
          adds={[{ label: t.add, make: () => ({ kind: 'openai', name: '', baseUrl: '', model: '' }) }]}
        >
          {(model, set) => (
            <>
              <TextField label={t.name} value={model.name} onChange={(name) => set({ ...model, name })} mono />
              {model.kind === 'scripted' ? (
                <p className="faint">{t.scripted}</p>
              ) : (
                <>
                  <TextField
                    label={t.url}
                    hint={t.urlHint}
                    value={model.baseUrl}
                    onChange={(baseUrl) => set({ ...model, baseUrl })}
                    mono
                  />
                  <TextField
                    label={t.model}
                    value={model.model}
                    onChange={(name) => set({ ...model, model: name })}
                    mono
                  />
                  <SecretEntry name={model.name} off={dirty} />
                </>
              )}
              <TestButton channel="model:test" name={model.name} off={dirty} />
            </>
          )}
        </ListEditor>
      )}
    </Section>
  );
}
