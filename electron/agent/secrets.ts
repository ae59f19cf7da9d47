import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { accepted, type Outcome, refused } from '../../shared/refusal.js';
import { replacePrivateFile } from './private-file.js';

/** The system's key store, given as a port so that this file needs no window system. */
export interface SystemKeyStore {
  isEncryptionAvailable(): boolean | Promise<boolean>;
  encryptString(text: string): Uint8Array | Promise<Uint8Array>;
  decryptString(bytes: Buffer): string | Promise<string>;
  /** Name of what stands behind it; `basic_text` means that the key lies beside the lock. */
  backend(): string | Promise<string>;
}

export interface Secrets {
  /**
   * Keeps the key of an endpoint, or forgets it when `key` is ''. Refused with `not_allowed` while the system offers
   * no encryption, or only a weak one that nobody has accepted.
   */
  set(name: string, key: string, options?: { acceptWeak?: boolean }): Promise<Outcome<'encrypted' | 'forgotten'>>;
  /** The key; null when none is kept or the system can no longer open it. */
  get(name: string): Promise<string | null>;
  /** Names that have a key, and whether each is kept with weak protection. */
  list(): Promise<{ name: string; weak: boolean }[]>;
}

// A list, so that no name can mean anything but itself.
const Stored = z.strictObject({
  v: z.literal(1),
  keys: z.array(z.strictObject({ name: z.string(), weak: z.boolean(), value: z.base64() })),
});
type Stored = z.infer<typeof Stored>;

/** Keys of model endpoints, encrypted by the system, in `secrets.json` of the given folder. */
export function makeSecrets(folder: string, store: SystemKeyStore): Secrets {
  const path = join(folder, 'secrets.json');
  let last: Promise<unknown> = Promise.resolve();

  /** One change after the other; a failed one does not fail the next. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const run = last.then(work, work);
    last = run.catch(() => undefined);
    return run;
  };
  const write = (keys: Stored['keys']): Promise<void> =>
    replacePrivateFile(path, `${JSON.stringify({ v: 1, keys } satisfies Stored, null, 2)}\n`);

  return {
    set: (name, key, { acceptWeak = false } = {}) =>
      inTurn(async () => {
        const others = (await readStored(path)).keys.filter((entry) => entry.name !== name);
        if (key === '') {
          await write(others);
          return accepted('forgotten');
        }
        if (!(await store.isEncryptionAvailable())) {
          const text =
            'This system offers no key store, so the key was not kept. Unlock or install one, then try again.';
          return refused('not_allowed', text, { reason: 'no_key_store' });
        }
        const weak = (await store.backend()) === 'basic_text';
        if (weak && !acceptWeak) {
          const text =
            'This system can only keep keys unprotected, so the key was not kept. Accept that, or install a key store.';
          return refused('not_allowed', text, { reason: 'weak_key_store' });
        }
        const value = Buffer.from(await store.encryptString(key)).toString('base64');
        await write([...others, { name, weak, value }]);
        return accepted('encrypted');
      }),
    get: (name) =>
      inTurn(async () => {
        const entry = (await readStored(path)).keys.find((one) => one.name === name);
        if (entry === undefined || !(await store.isEncryptionAvailable())) return null;
        try {
          return await store.decryptString(Buffer.from(entry.value, 'base64'));
        } catch {
          // Kept under another user, machine or key ring: as good as absent, and the endpoint will say so.
          return null;
        }
      }),
    list: () => inTurn(async () => (await readStored(path)).keys.map(({ name, weak }) => ({ name, weak }))),
  };
}

/** What is kept. A file that cannot be understood is set aside under another name, never overwritten. */
async function readStored(path: string): Promise<Stored> {
  const none: Stored = { v: 1, keys: [] };
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (fault) {
    if (fault instanceof Error && 'code' in fault && fault.code === 'ENOENT') return none;
    throw fault;
  }
  const stored = parse(text);
  if (stored !== null) return stored;
  await rename(path, `${path}.unreadable-${Date.now()}`);
  return none;
}

function parse(text: string): Stored | null {
  try {
    const stored = Stored.safeParse(JSON.parse(text));
    return stored.success ? stored.data : null;
  } catch {
    // Not JSON: the caller sets it aside.
    return null;
  }
}
