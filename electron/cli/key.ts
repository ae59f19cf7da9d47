import { join } from 'node:path';
import { refused } from '../../shared/refusal.js';
import { locateDataFolder } from '../data-folder.js';
import { readSettings } from '../settings-file.js';
import { knownKeys, readKeyFile } from '../signing/key-file.js';
import { type Command, sayRefused } from './command.js';
import { EXIT } from './exit.js';
import { write } from './io.js';
import { toJson } from './json.js';
import { oneLine } from './text.js';

export const keyCommand: Command = {
  name: 'key',
  usage: 'key',
  does: 'prints the public key that this reviewer signs with, and the keys of the team whose signatures count',
  takes: [0, 0],
  options: {},
  async run(call) {
    const located = locateDataFolder(call.data);
    if (!located.ok) return sayRefused(call, located.refusal);
    const { path } = located.value;
    const file = readKeyFile(path);
    if (file.kind !== 'key') {
      const why = file.kind === 'absent' ? 'no window was opened on it yet' : file.why;
      return sayRefused(call, refused('not_found', `There is no signing key in ${path}: ${why}.`, { path }).refusal);
    }
    const keys = knownKeys(file, readSettings(join(path, 'settings.json')).settings);
    const lines = keys.map(
      ({ name, keyId, publicKey, own }) => `${publicKey}  ${keyId}  ${oneLine(name)}${own ? ' (this reviewer)' : ''}`,
    );
    await write(call.io.stdout, call.json ? `${toJson({ ok: true, keys })}\n` : `${lines.join('\n')}\n`);
    return EXIT.ok;
  },
};
