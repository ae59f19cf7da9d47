import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeSecrets, type SystemKeyStore } from '../../electron/agent/secrets.js';

let folder: string;
let available: boolean;
let backend: string;

const store: SystemKeyStore = {
  isEncryptionAvailable: () => available,
  encryptString: (text) => Buffer.from([...text].reverse().join(''), 'utf8'),
  decryptString: (bytes) => {
    if (bytes.length === 0) throw new Error('cannot be opened');
    return [...bytes.toString('utf8')].reverse().join('');
  },
  backend: () => backend,
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-secrets-'));
  available = true;
  backend = 'gnome_libsecret';
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('keys of endpoints', () => {
  it('are kept encrypted in a file of the owner alone, and survive a restart', async () => {
    expect(await makeSecrets(folder, store).set('local', 'sk-very-secret')).toEqual({ ok: true, value: 'encrypted' });
    const path = join(folder, 'secrets.json');
    expect(readFileSync(path, 'utf8')).not.toContain('sk-very-secret');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(await makeSecrets(folder, store).get('local')).toBe('sk-very-secret');
    expect(readdirSync(folder)).toEqual(['secrets.json']);
  });

  it('are replaced, forgotten, and kept apart by name, whatever the name', async () => {
    const secrets = makeSecrets(folder, store);
    await Promise.all(['a', '__proto__', 'constructor'].map((name) => secrets.set(name, `key of ${name}`)));
    await secrets.set('a', 'new key');
    expect(await secrets.get('a')).toBe('new key');
    expect(await secrets.get('__proto__')).toBe('key of __proto__');
    expect(await secrets.get('toString')).toBe(null);
    expect(await secrets.set('constructor', '')).toEqual({ ok: true, value: 'forgotten' });
    expect((await secrets.list()).map((entry) => entry.name)).toEqual(['__proto__', 'a']);
  });

  it('are refused while the system offers no encryption, and what is kept stays', async () => {
    const secrets = makeSecrets(folder, store);
    await secrets.set('a', 'one');
    available = false;
    expect(await secrets.set('a', 'two')).toMatchObject({
      ok: false,
      refusal: { code: 'not_allowed', facts: { reason: 'no_key_store' } },
    });
    expect(await secrets.get('a')).toBe(null);
    available = true;
    expect(await secrets.get('a')).toBe('one');
  });

  it('go to a weak store only when a person accepted that, and the file says so', async () => {
    backend = 'basic_text';
    const secrets = makeSecrets(folder, store);
    expect(await secrets.set('a', 'one')).toMatchObject({
      ok: false,
      refusal: { facts: { reason: 'weak_key_store' } },
    });
    expect(readdirSync(folder)).toEqual([]);
    expect((await secrets.set('a', 'one', { acceptWeak: true })).ok).toBe(true);
    expect(await secrets.list()).toEqual([{ name: 'a', weak: true }]);
  });

  it.each(['', '{"v":2}', '{"v":1,"keys":[{"name":"a"}]}', 'garbage'])(
    'a file with %j is set aside and stops nothing',
    async (text) => {
      writeFileSync(join(folder, 'secrets.json'), text);
      const secrets = makeSecrets(folder, store);
      expect(await secrets.get('a')).toBe(null);
      await secrets.set('a', 'one');
      expect(await secrets.get('a')).toBe('one');
      const aside = readdirSync(folder).filter((name) => name.startsWith('secrets.json.unreadable-'));
      expect(aside.map((name) => readFileSync(join(folder, name), 'utf8'))).toEqual([text]);
    },
  );

  it('that the system can no longer open count as absent', async () => {
    const entry = { name: 'a', weak: false, value: '' };
    writeFileSync(join(folder, 'secrets.json'), JSON.stringify({ v: 1, keys: [entry] }));
    expect(await makeSecrets(folder, store).get('a')).toBe(null);
  });

  it('one failed write does not fail the next', async () => {
    const failing = {
      ...store,
      encryptString: (text: string) => (text === 'bad' ? fail() : store.encryptString(text)),
    };
    const secrets = makeSecrets(folder, failing);
    const [bad, good] = await Promise.allSettled([secrets.set('a', 'bad'), secrets.set('a', 'good')]);
    expect([bad?.status, good?.status]).toEqual(['rejected', 'fulfilled']);
    expect(await secrets.get('a')).toBe('good');
  });
});

function fail(): never {
  throw new Error('key ring is locked');
}
