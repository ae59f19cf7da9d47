import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { keyIdOf, readSignatures, verifyDecision, withSignature } from '../../electron/checkpoints/signatures.js';
import { Decision } from '../../shared/decision.js';
import { decisionText, signedText, UNSIGNED } from '../../shared/signature.js';
import { ADA, BO, reviewer, signed } from '../helpers/signer.js';
import { refusalOf, unwrap } from '../helpers/world.js';

/** A decision in which every field of the schema stands, also those that never stand together. */
const WHOLE: Decision = {
  v: 1,
  decisionId: '01K0QZ6V5M3H8D7N2B4C9F1XGA',
  suspension: { system: 'klieo', source: 'local', runId: '01K0QZ6V5M3H8D7N2B4C9F1XGB', seq: 1 },
  resumeStep: 2,
  revision: 3,
  digest: 'd'.repeat(64),
  verdicts: [
    {
      index: 0,
      argumentsSha256: 'a'.repeat(64),
      verdict: 'approve',
      answer: { status: 'completed', text: 'ä "ja"\n\u2028' },
      reason: 'why',
      note: 'kept',
      editedArguments: '{"amount":1.0}',
      editedSha256: 'e'.repeat(64),
      typesChanged: ['amount: integer → number'],
    },
    { index: 1, argumentsSha256: 'b'.repeat(64), verdict: 'reject' },
  ],
  step: { verdict: 'approve', reason: 'go on' },
  retry: { turn: 3, warning: 'may run twice' },
  repair: { unanswered: [{ message: 1, id: 'c1' }], leftOut: [4] },
  rules: [{ id: '01k0', name: 'Reports', calls: [0] }],
  reviewer: { name: 'Ada', keyId: ADA.key.keyId },
  decidedAt: '2026-07-20T10:00:00Z',
  notBefore: '2026-07-20T10:00:05Z',
  batchId: 'batch',
  supersedes: ['01K0QZ6V5M3H8D7N2B4C9F1XGC'],
  signatures: [],
  withdrawn: { by: 'Ada', at: '2026-07-20T10:00:01Z' },
  objections: [{ by: 'Bo', at: '2026-07-20T10:00:02Z', text: 'no' }],
};
const known = [ADA.key, BO.key];
const SIGNED = signed(WHOLE);

type Path = readonly (string | number)[];

/** Every place of a value at which a schema has a field, walked along both: a field of the schema that is missing throws. */
function places(schema: z.ZodType, value: unknown, at: Path = []): Path[] {
  const def = schema.def as unknown as {
    type: string;
    innerType?: z.ZodType;
    element?: z.ZodType;
    shape?: Record<string, z.ZodType>;
  };
  if (value === undefined) throw new Error(`${at.join('.')} of the schema does not stand in the example`);
  if (def.innerType) return places(def.innerType, value, at);
  if (def.shape)
    return Object.entries(def.shape).flatMap(([name, part]) =>
      places(part, (value as Record<string, unknown>)[name], [...at, name]),
    );
  if (def.element) return [at, ...places(def.element, (value as unknown[])[0], [...at, 0])];
  return [at];
}

/** The same value with something else at one place. */
function changed(value: unknown, [name, ...rest]: Path): unknown {
  if (name !== undefined) {
    const copy = structuredClone(value) as Record<string, unknown>;
    copy[name] = changed(copy[name], rest);
    return copy;
  }
  if (Array.isArray(value)) return value.slice(1);
  if (typeof value === 'number') return value + 1;
  const others = ['approve', 'completed', 'klieo'].includes(String(value));
  return others ? { approve: 'reject', completed: 'failed', klieo: 'cyrene' }[String(value)] : `${String(value)}x`;
}

/** The same without what stands at one place. */
function without(value: unknown, [name, ...rest]: Path): unknown {
  const copy = structuredClone(value) as Record<string, unknown>;
  if (name === undefined) return copy;
  if (rest.length > 0) copy[name] = without(copy[name], rest);
  else delete copy[name];
  return copy;
}

const ALL = places(Decision, SIGNED);
const COVERED = ALL.filter(([top]) => !UNSIGNED.some((name) => name === top));

describe('a signature covers every field of the decision', () => {
  it('the walk meets the fields that matter, and leaves out the three that come later', () => {
    const names = COVERED.map((path) => path.join('.'));
    for (const name of [
      'decisionId',
      'digest',
      'revision',
      'verdicts',
      'verdicts.0.verdict',
      'verdicts.0.editedSha256',
      'reviewer.keyId',
    ])
      expect(names).toContain(name);
    expect(new Set(ALL.filter((path) => !COVERED.includes(path)).map(([top]) => top))).toEqual(new Set(UNSIGNED));
  });

  for (const path of COVERED) {
    it(`${path.join('.')}: changed, or taken out, it is refused`, () => {
      const other = changed(SIGNED, path) as Decision;
      expect(decisionText(other)).not.toBe(decisionText(SIGNED));
      const code = refusalOf(verifyDecision(other, known));
      expect(code).toBe(path.join('.') === 'reviewer.keyId' ? 'not_signed' : 'signature_wrong');
      const less = Decision.safeParse(without(SIGNED, path));
      if (less.success) expect(verifyDecision(less.data, known).ok).toBe(false);
    });
  }

  it('keyId, name, alg, time and value of each signature are covered too', () => {
    const both = withSignature(SIGNED, BO.signer, 'Bo', '2026-07-20T11:00:00Z');
    expect(unwrap(verifyDecision(both, known)).map(({ name }) => name)).toEqual(['Ada', 'Bo']);
    for (const index of [0, 1])
      for (const field of ['name', 'at', 'value', 'alg']) {
        const other = changed(both, ['signatures', index, field]) as Decision;
        expect(refusalOf(verifyDecision(other, known)), `${index} ${field}`).toBe('signature_wrong');
      }
    const swapped = structuredClone(both);
    const [first, second] = swapped.signatures;
    if (first && second) [first.keyId, second.keyId] = [second.keyId, first.keyId];
    expect(refusalOf(verifyDecision(swapped, known))).toBe('signature_wrong');
  });

  it('null and absent, and texts that only look the same, are never the same text', () => {
    const texts = [
      {},
      { reason: '' },
      { reason: 'null' },
      { note: '' },
      { reason: 'a","note":"b' },
      { reason: 'a', note: 'b' },
    ].map((more) =>
      decisionText({ ...WHOLE, verdicts: [{ index: 0, argumentsSha256: '', verdict: 'reject', ...more }] }),
    );
    expect(new Set(texts).size).toBe(texts.length);
    expect(decisionText({ ...WHOLE, batchId: undefined } as never)).toContain('"batchId":null');
  });
});

describe('who signed', () => {
  it('withdrawn and objections come after it, and take nothing from it', () => {
    const { withdrawn: _, objections: __, ...bare } = SIGNED;
    expect(unwrap(verifyDecision(bare, known))).toEqual([ADA.key]);
  });
  it('none, another’s under this name, an unknown key', () => {
    expect(refusalOf(verifyDecision({ ...SIGNED, signatures: [] }, known))).toBe('not_signed');
    const { keyId: _, ...nameless } = SIGNED.reviewer;
    expect(refusalOf(verifyDecision({ ...SIGNED, reviewer: nameless }, known))).toBe('not_signed');
    expect(refusalOf(verifyDecision(SIGNED, [BO.key]))).toBe('unknown_reviewer');
    expect(refusalOf(verifyDecision(SIGNED, []))).toBe('unknown_reviewer');
    const eve = reviewer('Eve');
    expect(refusalOf(verifyDecision(signed(WHOLE, eve), known))).toBe('unknown_reviewer');
    // Eve's signature, said to be made with Ada's key.
    const posing = { ...signed(WHOLE, eve), reviewer: SIGNED.reviewer };
    posing.signatures = posing.signatures.map((one) => ({ ...one, keyId: ADA.key.keyId }));
    expect(refusalOf(verifyDecision(posing, known))).toBe('signature_wrong');
  });
  it('a signature of another decision does not fit this one', () => {
    const other = signed({ ...WHOLE, decisionId: '01K0QZ6V5M3H8D7N2B4C9F1XGZ' });
    expect(refusalOf(verifyDecision({ ...SIGNED, signatures: other.signatures }, known))).toBe('signature_wrong');
  });
  it('a further signature of an unknown key counts for nothing; the same key twice counts once', () => {
    const eve = withSignature(SIGNED, reviewer('Eve').signer, 'Eve', SIGNED.decidedAt);
    expect(unwrap(verifyDecision(eve, known))).toEqual([ADA.key]);
    expect(readSignatures(eve, known).map(({ state }) => state)).toEqual(['good', 'unknown']);
    const twice = withSignature(SIGNED, ADA.signer, 'Ada', '2026-07-20T12:00:00Z');
    expect(unwrap(verifyDecision(twice, known))).toEqual([ADA.key]);
  });
  it('base64 that is not the written one, and signatures of another length', () => {
    const value = SIGNED.signatures[0]?.value ?? '';
    for (const other of [`${value} `, value.replace(/=+$/, ''), '', 'AAAA', `${value.slice(0, -3)}B==`]) {
      const altered = { ...SIGNED, signatures: SIGNED.signatures.map((one) => ({ ...one, value: other })) };
      expect(refusalOf(verifyDecision(altered, known))).toBe('signature_wrong');
    }
  });
  it('the key id is the fingerprint of the raw key', () => {
    expect(keyIdOf(ADA.key.publicKey)).toMatch(/^[0-9a-f]{32}$/);
    expect(signedText(SIGNED, { keyId: 'k', name: 'n', alg: 'ed25519', at: 't' })).toMatch(
      /^holdpoint\/decision\/1\0\{"v":1,.*\}\n\{"keyId":"k","name":"n","alg":"ed25519","at":"t"\}$/s,
    );
  });
});
