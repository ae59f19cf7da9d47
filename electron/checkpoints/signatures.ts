import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { Decision, Signature, SuspensionKey } from '../../shared/decision.js';
import { accepted, type Outcome, refused } from '../../shared/refusal.js';
import { signedText } from '../../shared/signature.js';
import { suspensionText } from './keys.js';

/** A key whose signatures count, and whose it is. */
export interface KnownKey {
  keyId: string;
  /** Raw Ed25519 public key, 32 bytes in base64. */
  publicKey: string;
  name: string;
  /** This reviewer's own. */
  own: boolean;
}

/** One who can sign: the private part never leaves it. */
export interface OwnSigner {
  keyId: string;
  /** Ed25519 over the bytes given. */
  sign(bytes: Uint8Array): Uint8Array;
}

/** How a signature stands: `unknown` = nobody here knows the key, `wrong` = it does not sign this decision. */
export interface SignatureReading {
  signature: Signature;
  state: 'good' | 'wrong' | 'unknown';
  key: KnownKey | null;
}

/** Of a raw Ed25519 public key in base64: the first 32 hex digits of its sha256. */
export function keyIdOf(publicKey: string): string {
  return createHash('sha256').update(Buffer.from(publicKey, 'base64')).digest('hex').slice(0, 32);
}

/** A decision with one more signature, by `signer`, under `name`, at `at` (RFC 3339). Everything else stays as it is. */
export function withSignature(decision: Decision, signer: OwnSigner, name: string, at: string): Decision {
  const about = { keyId: signer.keyId, name, alg: 'ed25519', at } as const;
  const value = Buffer.from(signer.sign(bytesOf(signedText(decision, about)))).toString('base64');
  return { ...decision, signatures: [...decision.signatures, { ...about, value }] };
}

/** How each signature of a decision stands, in their order. Pure. */
export function readSignatures(decision: Decision, known: readonly KnownKey[]): SignatureReading[] {
  return decision.signatures.map((signature): SignatureReading => {
    const key = known.find(({ keyId }) => keyId === signature.keyId) ?? null;
    if (key === null) return { signature, key, state: 'unknown' };
    return { signature, key, state: verifies(decision, signature, key) ? 'good' : 'wrong' };
  });
}

/**
 * Who signed this decision: its author first, then each further known reviewer once. Refused with `not_signed`,
 * `unknown_reviewer` or `signature_wrong`. A further signature of an unknown key counts for nothing; one of a known key
 * that does not fit says that the record was altered.
 */
export function verifyDecision(decision: Decision, known: readonly KnownKey[]): Outcome<KnownKey[]> {
  const { name, keyId } = decision.reviewer;
  const facts = { decisionId: decision.decisionId, by: name, keyId: keyId ?? null };
  const readings = readSignatures(decision, known);
  const own = readings.filter(({ signature }) => signature.keyId === keyId);
  const [author] = own;
  if (author === undefined)
    return refused(
      'not_signed',
      `This decision says that it is ${name}’s, and carries no signature of theirs: it counts for nothing. Decide again.`,
      facts,
    );
  const wrong = readings.find(({ state }) => state === 'wrong');
  if (wrong)
    return refused(
      'signature_wrong',
      `The signature of ${wrong.key?.name ?? wrong.signature.name} does not fit this decision: it was altered after it was signed. Nothing fires by it. Decide again, and find out who can write here.`,
      { ...facts, keyId: wrong.signature.keyId },
    );
  if (author.state !== 'good' || author.key === null)
    return refused(
      'unknown_reviewer',
      `This decision is signed with the key ${keyId}, which is no known reviewer’s. Add ${name}’s public key in the settings if it is theirs, or decide again.`,
      facts,
    );
  const more = readings.flatMap((one) => (one.state === 'good' && one.key ? [one.key] : []));
  return accepted(more.filter((key, at) => more.findIndex((one) => one.keyId === key.keyId) === at).sort(first(keyId)));
}

const first =
  (keyId: string | undefined) =>
  (a: KnownKey, b: KnownKey): number =>
    Number(b.keyId === keyId) - Number(a.keyId === keyId);

function verifies(decision: Decision, signature: Signature, { publicKey }: KnownKey): boolean {
  const value = Buffer.from(signature.value, 'base64');
  // Base64 has several texts for the same bytes; only the one that is written counts.
  if (value.length !== 64 || value.toString('base64') !== signature.value) return false;
  return verify(null, bytesOf(signedText(decision, signature)), publicKeyOf(publicKey), value);
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** What comes before the raw key in DER (RFC 8410). */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');
const read = new Map<string, KeyObject>();

function publicKeyOf(raw: string): KeyObject {
  const found = read.get(raw);
  if (found) return found;
  const key = createPublicKey({ key: Buffer.concat([SPKI, Buffer.from(raw, 'base64')]), format: 'der', type: 'spki' });
  read.set(raw, key);
  return key;
}

/**
 * The same for a decision that lies under this key: one that was signed for another hold says nothing here, also where the
 * bytes of both are equal.
 */
export function verifyHere(decision: Decision, key: SuspensionKey, known: readonly KnownKey[]): Outcome<KnownKey[]> {
  const signedFor = suspensionText(decision.suspension);
  if (signedFor === suspensionText(key)) return verifyDecision(decision, known);
  return refused(
    'signature_wrong',
    `This decision was made for another hold (${signedFor}) and lies here all the same: it counts for nothing. Decide again, and find out who can write here.`,
    { decisionId: decision.decisionId, by: decision.reviewer.name, signedFor },
  );
}
