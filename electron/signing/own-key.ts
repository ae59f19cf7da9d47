import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { rename } from 'node:fs/promises';
import { accepted, type Outcome, refused } from '../../shared/refusal.js';
import { replacePrivateFile } from '../agent/private-file.js';
import type { SystemKeyStore } from '../agent/secrets.js';
import { keyIdOf, type OwnSigner } from '../checkpoints/signatures.js';
import { followKeyFile, type KeyFile, type KeyFileReading, keyPath, readKeyFile } from './key-file.js';

/** The key that this reviewer signs with: made once, its private part in the system's key store where there is one. */
export interface OwnKey {
  /** What lies in the data folder now. */
  file(): KeyFileReading;
  /** Refused with `cannot_sign`, and what to do, when the key is there and cannot be used: never silently unsigned. */
  signer(): Promise<Outcome<OwnSigner>>;
  /** Makes another key; the old one counts no more. The caller has asked the person. */
  renew(): Promise<void>;
}

/** Opens the key of a data folder, and makes one where there is none. */
export async function openOwnKey(dataFolder: string, store: SystemKeyStore): Promise<OwnKey> {
  if (readKeyFile(dataFolder).kind === 'absent') await make(dataFolder, store, []);
  const file = followKeyFile(dataFolder);
  let opened: { publicKey: string; secret: KeyObject } | null = null;
  return {
    file,
    async signer() {
      const now = file();
      if (now.kind !== 'key') return unusable(now.kind === 'absent' ? 'it is gone' : now.why, dataFolder);
      if (opened?.publicKey !== now.file.publicKey) {
        const secret = await openSecret(now.file, store);
        if (!secret.ok) return unusable(secret.why, dataFolder);
        opened = { publicKey: now.file.publicKey, secret: secret.key };
      }
      const { secret, publicKey } = opened;
      return accepted({ keyId: keyIdOf(publicKey), sign: (bytes) => sign(null, bytes, secret) });
    },
    async renew() {
      const before = file();
      if (before.kind === 'broken')
        await rename(keyPath(dataFolder), `${keyPath(dataFolder)}.unreadable-${Date.now()}`);
      const until = new Date().toISOString();
      const former = before.kind === 'key' ? [...before.file.former, { publicKey: before.file.publicKey, until }] : [];
      await make(dataFolder, store, former);
    },
  };
}

function unusable(why: string, dataFolder: string): Outcome<never> {
  return refused(
    'cannot_sign',
    `Your signing key cannot be used: ${why}. Nothing was decided. Unlock the system's key store and try again, put ${keyPath(dataFolder)} back, or make a new key in the settings.`,
    { path: keyPath(dataFolder) },
  );
}

async function make(dataFolder: string, store: SystemKeyStore, former: KeyFile['former']): Promise<void> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const secret = privateKey.export({ format: 'der', type: 'pkcs8' });
  // A weak store keeps the key beside the lock: that is no better than this file, so the file says what it is.
  const strong = (await store.isEncryptionAvailable()) && (await store.backend()) !== 'basic_text';
  const value = strong ? Buffer.from(await store.encryptString(secret.toString('base64'))) : secret;
  const file: KeyFile = {
    v: 1,
    publicKey: rawOf(publicKey),
    madeAt: new Date().toISOString(),
    kept: strong ? 'key_store' : 'file',
    value: value.toString('base64'),
    former,
  };
  await replacePrivateFile(keyPath(dataFolder), `${JSON.stringify(file, null, 2)}\n`);
}

const rawOf = (key: KeyObject): string => key.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64');

async function openSecret(
  { kept, value, publicKey }: KeyFile,
  store: SystemKeyStore,
): Promise<{ ok: true; key: KeyObject } | { ok: false; why: string }> {
  const stored = Buffer.from(value, 'base64');
  let key: KeyObject;
  try {
    if (kept === 'key_store' && !(await store.isEncryptionAvailable()))
      return { ok: false, why: "the system's key store, in which it is kept, is not there" };
    const der = kept === 'file' ? stored : Buffer.from(await store.decryptString(stored), 'base64');
    key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  } catch {
    // The cause may quote what was decrypted; the words say enough.
    return { ok: false, why: 'it was kept by another user, on another machine or in another key ring' };
  }
  if (key.asymmetricKeyType !== 'ed25519' || rawOf(createPublicKey(key)) !== publicKey)
    return { ok: false, why: 'its private part does not belong to its public part' };
  return { ok: true, key };
}
