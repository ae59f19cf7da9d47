import { writeFile } from 'node:fs/promises';
import { accepted, refused } from '../../shared/refusal.js';
import type { Handlers } from '../answering.js';
import { readDecision } from '../checkpoints/records.js';
import { guarded } from '../store/refusal.js';
import type { Context } from './context.js';
import { withSuspension } from './items.js';

type Signing = Pick<Handlers, 'key:status' | 'key:save' | 'key:renew' | 'decision:save'>;

/** The reviewer's own key for the settings page, and signed decisions as files. */
export function signing({ ownKey, ports, shell, store }: Context): Signing {
  return {
    'key:status': async () => {
      const file = ownKey.file();
      const signer = await ownKey.signer();
      return accepted({
        publicKey: file.kind === 'key' ? file.file.publicKey : null,
        kept: file.kind === 'key' ? file.file.kept : null,
        fault: signer.ok ? null : signer.refusal.text,
        known: [...ports.signing.known()],
      });
    },
    'key:save': async () => {
      const own = ports.signing.known().find((key) => key.own);
      if (!own) return refused('cannot_sign', 'There is no key to save.');
      const { name, publicKey, keyId } = own;
      return save('Save the public key', 'holdpoint-public-key.json', { name, publicKey, keyId });
    },
    'key:renew': async () => {
      const yes = await shell.system.ask({
        message: 'Make a new signing key?',
        detail:
          'What the present key signed and has not started yet counts no more, and is decided anew. Give the new public key to your team.',
        yes: 'Make a new key',
        no: 'Keep the present one',
      });
      if (!yes) return accepted(false);
      await ownKey.renew();
      shell.broadcast('settings:changed');
      shell.broadcast('runs:changed');
      return accepted(true);
    },
    'decision:save': (id) =>
      guarded(() =>
        withSuspension(id, async (key) => {
          const at = await readDecision(store, key);
          if (at.kind !== 'decision') return refused('not_decided', 'Nobody has decided this run yet.');
          return save('Save the decision', `decision-${at.decision.decisionId}.json`, at.decision);
        }),
      ),
  };

  /** False when the person cancelled. */
  async function save(title: string, name: string, value: unknown) {
    const place = await shell.system.choosePlace(title, name);
    if (place === null) return accepted(false);
    await writeFile(place, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
    return accepted(true);
  }
}
