import { text as words } from '../text.js';
import { CheckField, NumberField, SelectField, TextField } from './fields.js';
import { LinesField } from './LinesField.js';
import { fromLines, toLines } from './lines.js';
import { Section } from './Section.js';

const t = words.settings.general;

export function General() {
  return (
    <Section
      title={t.title}
      part={({ rejectReasons, reviewer, theme, undoSeconds, selectNextAfterDecision, singleKeys, readFolders }) => ({
        rejectReasons,
        reviewer,
        theme,
        undoSeconds,
        selectNextAfterDecision,
        singleKeys,
        readFolders,
      })}
      withPart={(settings, part) => ({ ...settings, ...part })}
    >
      {(value, change) => (
        <>
          <TextField
            label={t.reviewer}
            hint={t.reviewerHint}
            value={value.reviewer}
            onChange={(reviewer) => change({ ...value, reviewer })}
          />
          <SelectField
            label={t.theme}
            value={value.theme}
            options={[
              ['system', t.system],
              ['light', t.light],
              ['dark', t.dark],
              ['high_contrast', t.highContrast],
            ]}
            onChange={(theme) => change({ ...value, theme })}
          />
          <NumberField
            label={t.undo}
            hint={t.undoHint}
            value={value.undoSeconds}
            onChange={(undoSeconds) => change({ ...value, undoSeconds })}
          />
          <CheckField
            label={t.selectNext}
            value={value.selectNextAfterDecision}
            onChange={(selectNextAfterDecision) => change({ ...value, selectNextAfterDecision })}
          />
          <LinesField
            label={t.rejectReasons}
            hint={t.rejectReasonsHint}
            value={value.rejectReasons}
            print={toLines}
            parse={fromLines}
            onChange={(rejectReasons) => change({ ...value, rejectReasons })}
          />
          <CheckField
            label={t.singleKeys}
            hint={t.singleKeysHint}
            value={value.singleKeys}
            onChange={(singleKeys) => change({ ...value, singleKeys })}
          />
          <LinesField
            label={t.readFolders}
            hint={t.readFoldersHint}
            value={value.readFolders}
            print={(folders) => folders.join('\n')}
            parse={(text) =>
              text
                .split('\n')
                .map((line) => line.trim())
                .filter(Boolean)
            }
            onChange={(readFolders) => change({ ...value, readFolders })}
          />
        </>
      )}
    </Section>
  );
}
