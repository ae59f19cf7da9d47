import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { type KnownKey, keyIdOf, type OwnSigner, withSignature } from '../../electron/checkpoints/signatures.js';
import { type KeyFile, keyPath } from '../../electron/signing/key-file.js';
import type { Decision } from '../../shared/decision.js';

/** A reviewer of the tests with a key of their own, the same one in every process: made of the name alone. */
export interface TestReviewer {
  name: string;
  key: KnownKey;
  signer: OwnSigner;
  /** PKCS#8 in DER, base64: as a key file holds it. */
  privateKey: string;
}

const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

export function reviewer(name: string, own = false): TestReviewer {
  const seed = Buffer.alloc(32);
  seed.write(name, 'utf8');
  const der = Buffer.concat([PKCS8, seed]);
  const secret: KeyObject = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(secret).export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64');
  const keyId = keyIdOf(publicKey);
  return {
    name,
    key: { keyId, publicKey, name, own },
    signer: { keyId, sign: (bytes) => sign(null, bytes, secret) },
    privateKey: der.toString('base64'),
  };
}

/** The one whose window a test is. */
export const ADA = reviewer('Ada', true);
export const BO = reviewer('Bo');

/** A decision that a test wrote by hand, signed by its author as `decide` would have signed it. */
export function signed(decision: Decision, by: TestReviewer = ADA): Decision {
  const named = { ...decision, reviewer: { ...decision.reviewer, keyId: by.key.keyId }, signatures: [] };
  return withSignature(named, by.signer, decision.reviewer.name, decision.decidedAt);
}

/** The ports of one who signs as `by`; `known` are the keys that count. */
export const signingAs = (by: TestReviewer, known: readonly KnownKey[] = [by.key]) => ({
  known: () => known,
  signer: async () => ({ ok: true as const, value: by.signer }),
});

/** Leaves the key of a reviewer in a data folder, as their window did at its first start where no key store is. */
export function writeKeyFile(dataFolder: string, by: TestReviewer = ADA): void {
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  const { key, privateKey } = by;
  const file: KeyFile = {
    v: 1,
    publicKey: key.publicKey,
    madeAt: '2026-07-20T10:00:00Z',
    kept: 'file',
    value: privateKey,
    former: [],
  };
  writeFileSync(keyPath(dataFolder), JSON.stringify(file), { mode: 0o600 });
}
