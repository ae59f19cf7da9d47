import { useEffect, useState } from 'react';
import type { KeyStatus } from '../../shared/key-status.js';
import { noteRefusal } from '../app/toast-store.js';
import { call as ask } from '../bridge.js';
import { copyText } from '../run/copy.js';
import { Marked } from '../run/Marked.js';
import { text as words } from '../text.js';
import { CheckField, TextField } from './fields.js';
import { ListEditor } from './ListEditor.js';
import { Section } from './Section.js';
import { useSettings } from './settings-store.js';

const t = words.settings.signatures;

/** The reviewer's own key, the team whose signatures count, and the rule of two. */
export function Signatures() {
  const settings = useSettings((s) => s.settings);
  const [status, setStatus] = useState<KeyStatus | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a saved change of the team is another status
  useEffect(() => {
    let gone = false;
    void ask('key:status').then((reply) => {
      if (!gone && reply.ok) setStatus(reply.value);
    });
    return () => {
      gone = true;
    };
  }, [settings]);
  return (
    <Section
      title={t.title}
      hint={t.hint}
      part={({ reviewers, twoPersons }) => ({ reviewers, twoPersons })}
      withPart={(whole, part) => ({ ...whole, ...part })}
    >
      {(value, change) => (
        <>
          <OwnKey status={status} />
          <ListEditor
            items={value.reviewers}
            onChange={(reviewers) => change({ ...value, reviewers })}
            nameOf={({ name }) => name}
            adds={[{ label: t.add, make: () => ({ name: '', publicKey: '' }) }]}
          >
            {(one, set) => (
              <>
                <TextField label={t.name} value={one.name} onChange={(name) => set({ ...one, name })} />
                <TextField
                  label={t.publicKey}
                  hint={fingerprint(status, one.publicKey)}
                  value={one.publicKey}
                  onChange={(publicKey) => set({ ...one, publicKey: publicKey.trim() })}
                  mono
                />
              </>
            )}
          </ListEditor>
          <CheckField
            label={t.twoPersons}
            value={value.twoPersons}
            onChange={(twoPersons) => change({ ...value, twoPersons })}
          />
          <p className="faint">{t.twoPersonsHint}</p>
        </>
      )}
    </Section>
  );
}

function fingerprint(status: KeyStatus | null, publicKey: string): string {
  const known = status?.known.find((key) => key.publicKey === publicKey);
  return known ? t.fingerprint(known.keyId) : t.publicKeyHint;
}

function OwnKey({ status }: { status: KeyStatus | null }) {
  const [said, setSaid] = useState('');
  const own = status?.known.find((key) => key.own);
  async function act(channel: 'key:save' | 'key:renew'): Promise<void> {
    const reply = await ask(channel);
    if (!reply.ok) noteRefusal(reply.refusal);
    else setSaid(reply.value ? t.done[channel] : '');
  }
  return (
    <div className="setting" data-testid="own-key">
      <span className="name">{t.own}</span>
      <span className="mono path" data-testid="own-public-key">
        <Marked line text={status?.publicKey ?? '…'} />
      </span>
      <span className="faint">
        {own && t.fingerprint(own.keyId)} {status?.kept && t.kept[status.kept]}
      </span>
      {status?.fault && (
        <p className="refused" role="alert">
          {status.fault}
        </p>
      )}
      <span className="buttons">
        <button
          type="button"
          className="btn"
          disabled={!status?.publicKey}
          onClick={() => void copyText(status?.publicKey ?? '')}
        >
          {t.copy}
        </button>
        <button type="button" className="btn" disabled={!own} onClick={() => void act('key:save')}>
          {t.save}
        </button>
        <button type="button" className="btn quiet" onClick={() => void act('key:renew')}>
          {t.renew}
        </button>
        <span className="faint" role="status">
          {said}
        </span>
      </span>
    </div>
  );
}
