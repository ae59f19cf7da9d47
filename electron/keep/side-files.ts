import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { maskSecrets } from '../../shared/mask.js';
import type { Settings } from '../../shared/settings.js';
import { MAX_RECORD_BYTES } from '../formats/read-record.js';
import { isUnfinished } from '../inbox/listing.js';
import { isPlainName, REASON_ENDING } from '../refused/names.js';
import { readSettings } from '../settings-file.js';
import { nodeDisk } from '../store/disk.js';
import { attempt } from '../store/faults.js';
import { readWhole } from '../store/read-whole.js';

export const SETTINGS_FILE = 'settings.json';

/** A file of the data folder that lies beside its store; `bytes` null: it cannot be read, or is larger than a record may be. */
export interface SideFile {
  /** Below the data folder, with `/`. */
  file: string;
  bytes: Uint8Array | null;
}

/**
 * What a data folder holds beside its store and its inbox: the settings without secrets, and what was refused and why (notes
 * on the inbox among it).
 */
export function* sideFiles(dataFolder: string): Generator<SideFile> {
  const path = join(dataFolder, SETTINGS_FILE);
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile()) {
    const { settings, warning } = readSettings(path);
    // What cannot be read may hold anything, secrets too.
    yield { file: SETTINGS_FILE, bytes: warning === null ? settingsBytes(settings) : null };
  }
  for (const name of namesIn(join(dataFolder, 'refused')))
    if (!name.startsWith('.')) yield* one(dataFolder, `refused/${name}`);
}

/** What waits in the inbox. Whoever also reads the store reads this first: what is taken in meanwhile is found there. */
export function* waitingFiles(dataFolder: string): Generator<SideFile> {
  for (const name of namesIn(join(dataFolder, 'inbox'))) {
    if (isUnfinished(name)) continue;
    const found = lstatSync(join(dataFolder, 'inbox', name), { throwIfNoEntry: false });
    if (!found?.isDirectory()) yield* one(dataFolder, `inbox/${name}`);
    else
      for (const inner of namesIn(join(dataFolder, 'inbox', name)))
        if (!isUnfinished(inner)) yield* one(dataFolder, `inbox/${name}/${inner}`);
  }
}

/** Links, pipes and folders are nobody's records; they are not followed. */
function* one(dataFolder: string, file: string): Generator<SideFile> {
  const path = join(dataFolder, ...file.split('/'));
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found?.isFile()) return;
  let bytes: Uint8Array | null = null;
  if (found.size <= MAX_RECORD_BYTES)
    attempt(() => {
      bytes = readWhole(nodeDisk, path);
    });
  yield { file, bytes };
}

function namesIn(folder: string): string[] {
  let names: string[] = [];
  attempt(() => {
    names = readdirSync(folder).sort();
  });
  return names;
}

/** As the settings' own file holds them. */
export const settingsBytes = (settings: Settings): Uint8Array =>
  new TextEncoder().encode(`${JSON.stringify({ settings: withoutSecrets(settings) }, null, 2)}\n`);

/** Keys of models are kept by the system and are none of the settings; what a tool server is started with may be one. */
export function withoutSecrets(settings: Settings): Settings {
  const servers = settings.servers.map((server) => {
    if (server.kind === 'http') return { ...server, url: maskSecrets(server.url) };
    if (server.kind !== 'stdio') return server;
    const env = Object.fromEntries(Object.keys(server.env).map((name) => [name, '']));
    return { ...server, args: maskedArgs(server.args), env };
  });
  return { ...settings, servers };
}

/** What follows a flag is masked by the flag's name: `--token`, `abc`. */
const maskedArgs = (args: readonly string[]): string[] =>
  args.map((text, n) => maskSecrets(text, /^-+(.+)$/.exec(args[n - 1] ?? '')?.[1]));

/** The settings of a backup with what this machine alone knows: environment and arguments of servers of the same name. */
export function withSecretsOf(next: Settings, here: Settings): Settings {
  const servers = next.servers.map((server) => {
    const own = here.servers.find(({ name, kind }) => name === server.name && kind === server.kind);
    if (server.kind === 'http' && own?.kind === 'http')
      return maskSecrets(own.url) === server.url ? { ...server, url: own.url } : server;
    if (server.kind !== 'stdio' || own?.kind !== 'stdio') return server;
    const env = Object.fromEntries(Object.keys(server.env).map((name) => [name, own.env[name] ?? '']));
    const known = maskedArgs(own.args);
    const args = server.args.map((text, n) => (known[n] === text ? (own.args[n] ?? '') : text));
    return { ...server, env, args };
  });
  return { ...next, servers };
}

const INBOX_NAME = /^[A-Za-z0-9][A-Za-z0-9 ._()-]{0,200}$/;
const SOURCE = /^[\w.-]{1,64}$/;
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** True for a place that a file of a backup may take below a data folder: no path of a file is trusted (I11). */
export function isSidePlace(file: string): boolean {
  if (file === SETTINGS_FILE) return true;
  const parts = file.split('/');
  const [place, ...rest] = parts;
  const name = rest.at(-1) ?? '';
  if (parts.some((part) => part === '' || part === '.' || part === '..' || DEVICE.test(part) || /[. ]$/.test(part)))
    return false;
  if (place === 'refused') return rest.length === 1 && isPlainName(name.replace(new RegExp(`${REASON_ENDING}$`), ''));
  if (place !== 'inbox' || !INBOX_NAME.test(name) || isUnfinished(name)) return false;
  return rest.length === 1 || (rest.length === 2 && SOURCE.test(rest[0] ?? ''));
}
