import { TEAM_SECRET, type Team, type TeamCredentials } from '../../shared/settings.js';
import { text as words } from '../text.js';
import { CheckField, SelectField, TextField } from './fields.js';
import { LinesField } from './LinesField.js';
import { SecretEntry } from './SecretEntry.js';
import { Section } from './Section.js';
import { TeamTestButton } from './TeamTestButton.js';

const t = words.settings.team;
const lines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

const KINDS = ['none', 'token', 'password', 'nkey', 'creds'] as const;

function credentialsOf(kind: TeamCredentials['kind']): TeamCredentials {
  if (kind === 'password') return { kind, user: '' };
  return kind === 'creds' ? { kind, file: '' } : { kind };
}

/** The connection to a team's shared engine. Without one everything else works. */
export function TeamEngine() {
  return (
    <Section<Team>
      title={t.title}
      hint={t.hint}
      part={(s) => s.team}
      withPart={(settings, team) => ({ ...settings, team })}
    >
      {(team, change, dirty) => (
        <>
          <LinesField
            label={t.servers}
            hint={t.serversHint}
            value={team.servers}
            print={(servers) => servers.join('\n')}
            parse={lines}
            onChange={(servers) => change({ ...team, servers })}
          />
          <TextField label={t.bucket} value={team.bucket} onChange={(bucket) => change({ ...team, bucket })} mono />
          <SelectField
            label={t.credentials}
            value={team.credentials.kind}
            options={KINDS.map((kind) => [kind, t.kinds[kind]] as const)}
            onChange={(kind) => change({ ...team, credentials: credentialsOf(kind) })}
          />
          <Credentials credentials={team.credentials} off={dirty} set={(c) => change({ ...team, credentials: c })} />
          <TextField
            label={t.inbox}
            hint={t.inboxHint}
            value={team.inbox}
            onChange={(inbox) => change({ ...team, inbox })}
            mono
          />
          <TextField
            label={t.ca}
            hint={t.caHint}
            value={team.caFile}
            onChange={(caFile) => change({ ...team, caFile })}
            mono
          />
          <LinesField
            label={t.monitors}
            hint={t.monitorsHint}
            value={team.monitors}
            print={(monitors) => monitors.join('\n')}
            parse={lines}
            onChange={(monitors) => change({ ...team, monitors })}
          />
          <CheckField
            label={t.unverified}
            hint={t.unverifiedHint}
            value={team.unverified}
            onChange={(unverified) => change({ ...team, unverified })}
          />
          <TeamTestButton off={dirty || team.servers.length === 0} unsaved={dirty} />
        </>
      )}
    </Section>
  );
}

function Credentials({
  credentials,
  off,
  set,
}: {
  credentials: TeamCredentials;
  off: boolean;
  set: (credentials: TeamCredentials) => void;
}) {
  if (credentials.kind === 'none') return null;
  if (credentials.kind === 'creds')
    return (
      <TextField
        label={t.credsFile}
        hint={t.credsHint}
        value={credentials.file}
        onChange={(file) => set({ ...credentials, file })}
        mono
      />
    );
  return (
    <>
      {credentials.kind === 'password' && (
        <TextField label={t.user} value={credentials.user} onChange={(user) => set({ ...credentials, user })} mono />
      )}
      <SecretEntry name={TEAM_SECRET} label={t.secret[credentials.kind]} off={off} />
    </>
  );
}
