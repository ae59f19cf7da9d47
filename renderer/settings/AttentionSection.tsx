import { useEffect, useState } from 'react';
import type { Attention } from '../../shared/settings.js';
import { call as ask } from '../bridge.js';
import { text as words } from '../text.js';
import { CheckField, TextField } from './fields.js';
import { Section } from './Section.js';
import { useSettings } from './settings-store.js';

const t = words.settings.attention;
const NIGHT: NonNullable<Attention['quiet']> = { from: '20:00', to: '07:30' };

/** How Holdpoint makes itself known while its window is not in front. */
export function AttentionSection() {
  return (
    <Section
      title={t.title}
      hint={t.hint}
      part={(s) => s.attention}
      withPart={(settings, attention) => ({ ...settings, attention })}
    >
      {(value, change) => (
        <>
          <CheckField
            label={t.notifications}
            value={value.notifications}
            onChange={(notifications) => change({ ...value, notifications })}
          />
          <CheckField
            label={t.quiet}
            value={value.quiet !== null}
            onChange={(on) => change({ ...value, quiet: on ? NIGHT : null })}
          />
          {value.quiet && <Quiet quiet={value.quiet} change={(quiet) => change({ ...value, quiet })} />}
          <CheckField
            label={t.tray}
            hint={t.trayHint}
            value={value.tray}
            onChange={(tray) => change({ ...value, tray })}
          />
          <TextField
            label={t.shortcut}
            hint={t.shortcutHint}
            value={value.shortcut}
            onChange={(shortcut) => change({ ...value, shortcut })}
            mono
          />
          <CheckField
            label={t.atLogin}
            hint={t.atLoginHint}
            value={value.atLogin}
            onChange={(atLogin) => change({ ...value, atLogin })}
          />
          <Problems />
        </>
      )}
    </Section>
  );
}

interface QuietProps {
  quiet: NonNullable<Attention['quiet']>;
  change: (quiet: NonNullable<Attention['quiet']>) => void;
}

function Quiet({ quiet, change }: QuietProps) {
  return (
    <>
      <TextField label={t.from} type="time" value={quiet.from} onChange={(from) => change({ ...quiet, from })} />
      <TextField label={t.to} type="time" value={quiet.to} onChange={(to) => change({ ...quiet, to })} />
    </>
  );
}

/** What was saved and is not in force: a combination that is taken, a desktop without a tray. */
function Problems() {
  const saved = useSettings((s) => s.settings.attention);
  const [problems, setProblems] = useState<readonly string[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again whenever other settings were saved
  useEffect(() => {
    let current = true;
    void ask('app:attention').then((reply) => current && reply.ok && setProblems(reply.value.problems));
    return () => {
      current = false;
    };
  }, [saved]);
  return (
    <ul className="plain" aria-live="polite">
      {problems.map((problem) => (
        <li key={problem} className="warn">
          {problem}
        </li>
      ))}
    </ul>
  );
}
