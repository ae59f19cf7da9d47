import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { verifyDecision } from '../../electron/checkpoints/signatures.js';
import { Decision } from '../../shared/decision.js';
import { signedText } from '../../shared/signature.js';
import { ADA, BO, signed } from '../helpers/signer.js';
import { unwrap } from '../helpers/world.js';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/SIGNATURES.md'), 'utf8').split('## An example')[1] ?? '';
const blocks = [...page.matchAll(/```\w*\n(.*?)\n```/gs)].map(([, text]) => text ?? '');

/** As anybody runs it, with nothing of ours but the file. */
function alone(decision: unknown, ...keys: string[]) {
  const file = join(root, 'examples/verify-decision.mjs');
  return spawnSync(process.execPath, [file, '-', ...keys], { input: JSON.stringify(decision), encoding: 'utf8' });
}

describe('docs/SIGNATURES.md', () => {
  const [publicKey = '', record = '{}', text = ''] = blocks;
  const decision = Decision.parse(JSON.parse(record));

  it('its example is signed as it says, to the byte', () => {
    expect(publicKey).toBe(ADA.key.publicKey);
    const { signatures, ...bare } = decision;
    expect(signed({ ...bare, signatures: [] })).toEqual(decision);
    const [signature] = signatures;
    if (!signature) throw new Error('no signature');
    const { value: _, ...signer } = signature;
    expect(text.replace('\\0', '\0')).toBe(signedText(decision, signer));
    expect(unwrap(verifyDecision(decision, [ADA.key]))).toEqual([ADA.key]);
  });

  it('the verifier that stands alone agrees: good, altered, unknown, unsigned', () => {
    expect(alone(decision, publicKey)).toMatchObject({ status: 0, stdout: expect.stringContaining('signed by Ada') });
    const whole = signed({
      ...decision,
      verdicts: [
        {
          index: 0,
          argumentsSha256: 'a',
          verdict: 'answer',
          answer: { status: 'failed', text: 'ä\u2028"' },
          typesChanged: ['x'],
        },
      ],
      step: { verdict: 'reject', reason: 'r' },
      retry: { turn: 1, warning: 'w' },
      repair: { unanswered: [{ message: 1, id: 'i' }], leftOut: [2] },
      rules: [{ id: '01K0QZ6V5M3H8D7N2B4C9F1XGA', name: 'n', calls: [0] }],
      batchId: 'b',
      supersedes: ['s'],
    });
    expect(alone(whole, publicKey)).toMatchObject({ status: 0 });
    for (const altered of [
      { ...whole, digest: 'x' },
      { ...whole, rules: undefined },
      { ...whole, notBefore: 'x' },
    ])
      expect(alone(altered, publicKey)).toMatchObject({ status: 1, stderr: expect.stringContaining('does not fit') });
    expect(alone(whole, BO.key.publicKey).status).toBe(1);
    expect(alone({ ...whole, signatures: [] }, publicKey).status).toBe(1);
  });
});
