import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { KnownReviewer, type Settings } from '../../shared/settings.js';
import { type KnownKey, keyIdOf } from '../checkpoints/signatures.js';
import { readSettings } from '../settings-file.js';

/** The reviewer's own key in the data folder. Its public part is for everybody who may read that folder. */
export const KeyFile = z.strictObject({
  v: z.literal(1),
  publicKey: KnownReviewer.shape.publicKey,
  madeAt: z.string(),
  /** `key_store`: the system's key store encrypted `value`. `file`: it lies here as it is, PKCS#8 in DER. */
  kept: z.enum(['key_store', 'file']),
  value: z.base64(),
  /** Keys that this one took the place of: what they signed is told apart from what nobody signed, and fires no more. */
  former: z.array(z.strictObject({ publicKey: KnownReviewer.shape.publicKey, until: z.string() })),
});
export type KeyFile = z.infer<typeof KeyFile>;

export const keyPath = (dataFolder: string): string => join(dataFolder, 'signing-key.json');

/** `absent`: no window was ever opened on this folder. `broken`: something is there that cannot be understood. */
export type KeyFileReading = { kind: 'key'; file: KeyFile } | { kind: 'absent' } | { kind: 'broken'; why: string };

export function readKeyFile(dataFolder: string): KeyFileReading {
  let text: string;
  try {
    text = readFileSync(keyPath(dataFolder), 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    return code === 'ENOENT' ? { kind: 'absent' } : { kind: 'broken', why: `it cannot be read (${code})` };
  }
  try {
    const file = KeyFile.safeParse(JSON.parse(text));
    return file.success
      ? { kind: 'key', file: file.data }
      : { kind: 'broken', why: 'it is no key file of this version' };
  } catch {
    return { kind: 'broken', why: 'it is no JSON' };
  }
}

/** Reads the key file again when it has changed: another process may have made or replaced it. */
export function followKeyFile(dataFolder: string): () => KeyFileReading {
  let stamp = '';
  let last: KeyFileReading = { kind: 'absent' };
  return () => {
    const stat = statSync(keyPath(dataFolder), { throwIfNoEntry: false, bigint: true });
    const now = stat ? `${stat.ino}:${stat.size}:${stat.mtimeNs}` : 'none';
    if (now !== stamp) {
      last = readKeyFile(dataFolder);
      stamp = now;
    }
    return last;
  };
}

/** Whose signatures count: this reviewer's own key, and the team's of the settings. */
export function knownKeys(own: KeyFileReading, { reviewer, reviewers }: Settings): KnownKey[] {
  const mine = own.kind === 'key' ? [keyOf(own.file.publicKey, reviewer.trim() || 'this reviewer', true)] : [];
  const team = reviewers.map(({ publicKey, name }) => keyOf(publicKey, name, false));
  return [...mine, ...team].filter((key, at, all) => all.findIndex(({ keyId }) => keyId === key.keyId) === at);
}

const keyOf = (publicKey: string, name: string, own: boolean): KnownKey => ({
  keyId: keyIdOf(publicKey),
  publicKey,
  name,
  own,
});

/** Keys of a data folder that say who signed what lies in its history: also those that count no more. */
export function keysEver(dataFolder: string): KnownKey[] {
  const own = readKeyFile(dataFolder);
  const { settings } = readSettings(join(dataFolder, 'settings.json'));
  const former = own.kind === 'key' ? own.file.former : [];
  const name = `${settings.reviewer || 'this reviewer'} (a former key)`;
  return [...knownKeys(own, settings), ...former.map(({ publicKey }) => keyOf(publicKey, name, true))];
}
