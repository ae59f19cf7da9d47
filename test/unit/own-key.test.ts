import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SystemKeyStore } from '../../electron/agent/secrets.js';
import { verifyDecision, withSignature } from '../../electron/checkpoints/signatures.js';
import { keyPath, keysEver, knownKeys, readKeyFile } from '../../electron/signing/key-file.js';
import { openOwnKey } from '../../electron/signing/own-key.js';
import type { Decision } from '../../shared/decision.js';
import { Settings } from '../../shared/settings.js';
import { run, runJson } from '../helpers/cli-run.js';
import { BO, signed, writeKeyFile } from '../helpers/signer.js';
import { refusalOf, unwrap } from '../helpers/world.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-key-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A key store that turns every byte over; `lost` = another user, machine or key ring. */
const keyStore = (state: { backend?: string; there?: boolean; lost?: boolean } = {}): SystemKeyStore => ({
  isEncryptionAvailable: () => state.there ?? true,
  encryptString: (text) => Buffer.from(text).map((byte) => byte ^ 0xff),
  decryptString: (bytes) => {
    if (state.lost) throw new Error('no');
    return Buffer.from(bytes.map((byte) => byte ^ 0xff)).toString();
  },
  backend: () => state.backend ?? 'gnome_libsecret',
});

const DECISION: Decision = {
  v: 1,
  decisionId: '01K0QZ6V5M3H8D7N2B4C9F1XGA',
  suspension: { system: 'klieo', source: 'local', runId: '01K0QZ6V5M3H8D7N2B4C9F1XGB', seq: 1 },
  resumeStep: 2,
  revision: 3,
  digest: 'd'.repeat(64),
  verdicts: [],
  step: { verdict: 'approve' },
  reviewer: { name: 'Ada' },
  decidedAt: '2026-07-20T10:00:00Z',
  notBefore: '2026-07-20T10:00:05Z',
  signatures: [],
};

describe('this reviewer’s own key', () => {
  it('is made at the first start, in the system’s key store, and is the same at the next one', async () => {
    const first = await openOwnKey(folder, keyStore());
    const { keyId } = unwrap(await first.signer());
    const file = readKeyFile(folder);
    expect(file).toMatchObject({ kind: 'key', file: { kept: 'key_store', former: [] } });
    expect(statSync(keyPath(folder)).mode & 0o777).toBe(0o600);
    // What lies in the file is no key that anybody can read.
    const value = Buffer.from(JSON.parse(readFileSync(keyPath(folder), 'utf8')).value, 'base64');
    expect(value.toString('latin1')).not.toContain('MC4CAQAwBQYDK2Vw');
    expect(unwrap(await (await openOwnKey(folder, keyStore())).signer()).keyId).toBe(keyId);
  });

  it.each([{ there: false }, { backend: 'basic_text' }])(
    'without a key store that protects it (%j) it lies in a file for its owner alone, and says so',
    async (state) => {
      const own = await openOwnKey(folder, keyStore(state));
      expect(own.file()).toMatchObject({ kind: 'key', file: { kept: 'file' } });
      expect(statSync(keyPath(folder)).mode & 0o777).toBe(0o600);
      const signer = unwrap(await own.signer());
      const by = { ...DECISION, reviewer: { name: 'Ada', keyId: signer.keyId } };
      const known = knownKeys(own.file(), Settings.parse({ reviewer: 'Ada' }));
      expect(unwrap(verifyDecision(withSignature(by, signer, 'Ada', by.decidedAt), known))).toMatchObject([
        { name: 'Ada', own: true },
      ]);
    },
  );

  it('that cannot be opened, was altered, or went while the window was open: refused with what to do, and left as it is', async () => {
    await openOwnKey(folder, keyStore());
    const text = readFileSync(keyPath(folder), 'utf8');
    const lost = await openOwnKey(folder, keyStore({ lost: true }));
    const refusal = await lost.signer();
    expect(refusalOf(refusal)).toBe('cannot_sign');
    expect(!refusal.ok && refusal.refusal.text).toContain('make a new key in the settings');
    expect(refusalOf(await (await openOwnKey(folder, keyStore({ there: false }))).signer())).toBe('cannot_sign');
    const { publicKey } = JSON.parse(text);
    for (const other of ['', '{}', text.replace(publicKey, BO.key.publicKey)]) {
      writeFileSync(keyPath(folder), other);
      const own = await openOwnKey(folder, keyStore());
      expect(refusalOf(await own.signer()), other).toBe('cannot_sign');
      expect(readFileSync(keyPath(folder), 'utf8')).toBe(other);
    }
    const own = await openOwnKey(folder, keyStore());
    rmSync(keyPath(folder));
    expect(refusalOf(await own.signer())).toBe('cannot_sign');
  });

  it('a new one takes its place: the old one counts no more, but is known to the history; a broken file is kept aside', async () => {
    const own = await openOwnKey(folder, keyStore());
    const old = unwrap(await own.signer()).keyId;
    await own.renew();
    const now = unwrap(await own.signer()).keyId;
    expect(now).not.toBe(old);
    expect(knownKeys(own.file(), Settings.parse({})).map(({ keyId }) => keyId)).toEqual([now]);
    expect(keysEver(folder).map(({ keyId }) => keyId)).toEqual([now, old]);
    writeFileSync(keyPath(folder), 'x');
    await own.renew();
    expect((await own.signer()).ok).toBe(true);
    expect(readdirSync(folder).some((name) => name.startsWith('signing-key.json.unreadable-'))).toBe(true);
  });
});

describe('the command line', () => {
  it('key prints the public keys that count', async () => {
    expect((await run(['--data', folder, 'key'])).code).toBe(1);
    writeKeyFile(folder);
    writeFileSync(
      join(folder, 'settings.json'),
      JSON.stringify({
        settings: { reviewer: 'Ada', reviewers: [BO.key].map(({ name, publicKey }) => ({ name, publicKey })) },
      }),
    );
    const { out } = await run(['--data', folder, 'key']);
    expect(out).toContain(`${BO.key.publicKey}  ${BO.key.keyId}  Bo\n`);
    expect(out).toContain('Ada (this reviewer)');
    expect(out).not.toContain(JSON.parse(readFileSync(keyPath(folder), 'utf8')).value);
  });

  it('verify says who signed a decision file, by the keys of the folder or by those that are named', async () => {
    writeKeyFile(folder);
    const file = join(folder, 'decision.json');
    const made = signed(DECISION);
    writeFileSync(file, JSON.stringify(made, null, 2));
    expect(await run(['--data', folder, 'verify', file])).toMatchObject({
      code: 0,
      out: expect.stringContaining('signed by this reviewer'),
    });
    expect((await run(['verify', file, '--keys', BO.key.publicKey])).err).toContain('unknown_reviewer');
    expect(
      (await runJson(['verify', '-', '--keys', BO.key.publicKey], JSON.stringify(signed(DECISION, BO)))).value,
    ).toMatchObject({
      ok: true,
      signatures: [{ state: 'good', keyId: BO.key.keyId }],
    });
    for (const change of [
      { digest: '0'.repeat(64) },
      { revision: 4 },
      { decidedAt: '2026-07-20T10:00:01Z' },
      { step: { verdict: 'reject' } },
    ])
      expect(await run(['--data', folder, 'verify', '-'], JSON.stringify({ ...made, ...change }))).toMatchObject({
        code: 1,
        err: expect.stringContaining('signature_wrong'),
      });
    expect((await run(['verify', '-'], '{')).code).toBe(4);
    expect((await run(['verify', file, '--keys', 'x'])).code).toBe(2);
  });
});
