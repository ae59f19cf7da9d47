import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { argumentsDigest, recordDigest } from '../../electron/checkpoints/digest.js';

const parts = {
  system: 'klieo' as const,
  runId: '01K0QZ6V5M3H8D7N2B4C9F1XGA',
  resumeStep: 12,
  bytes: new TextEncoder().encode('{"ä":1}'),
};

describe('H3', () => {
  test('the digest is over the prefix and the four parts, each with its length in front', () => {
    const hex = [
      Buffer.from('holdpoint/1').toString('hex'),
      '00',
      '0000000000000005',
      Buffer.from('klieo').toString('hex'),
      '000000000000001a',
      Buffer.from(parts.runId).toString('hex'),
      '0000000000000002',
      Buffer.from('12').toString('hex'),
      '0000000000000008',
      Buffer.from('{"ä":1}', 'utf8').toString('hex'),
    ].join('');
    expect(recordDigest(parts)).toBe(createHash('sha256').update(Buffer.from(hex, 'hex')).digest('hex'));
  });

  test('moving a character from one part into the next gives another digest', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.integer({ min: 10, max: 99_999 }), (runId, step) => {
        const other = {
          ...parts,
          runId: `${runId}${String(step).charAt(0)}`,
          resumeStep: Number(String(step).slice(1)),
        };
        expect(recordDigest({ ...parts, runId, resumeStep: step })).not.toBe(recordDigest(other));
      }),
    );
  });

  test('one changed byte gives another digest', () => {
    expect(recordDigest({ ...parts, bytes: new TextEncoder().encode('{"ä":1} ') })).not.toBe(recordDigest(parts));
  });

  test('arguments: sha256 of the raw text', () => {
    expect(argumentsDigest('{}')).toBe('44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a');
    expect(argumentsDigest('1.0')).not.toBe(argumentsDigest('1'));
  });
});
