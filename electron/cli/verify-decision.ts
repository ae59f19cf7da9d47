import { join } from 'node:path';
import { Decision } from '../../shared/decision.js';
import { refused } from '../../shared/refusal.js';
import { KnownReviewer } from '../../shared/settings.js';
import { type KnownKey, keyIdOf, readSignatures, verifyDecision } from '../checkpoints/signatures.js';
import { locateDataFolder } from '../data-folder.js';
import { readSettings } from '../settings-file.js';
import { knownKeys, readKeyFile } from '../signing/key-file.js';
import { type Call, type Command, maybeText, sayRefused, UsageError } from './command.js';
import { EXIT } from './exit.js';
import { readText } from './input.js';
import { write } from './io.js';
import { toJson } from './json.js';
import { oneLine } from './text.js';

export const verifyCommand: Command = {
  name: 'verify',
  usage: 'verify FILE|- [--keys KEY,KEY…]',
  does: 'checks who signed a decision, as `decision RUN` printed it; without --keys the keys of the data folder count',
  takes: [1, 1],
  options: { keys: { type: 'string' } },
  async run(call) {
    const known = keysOf(call);
    const text = await readText(call.positionals[0] ?? '', call.io.stdin);
    if (!text.ok) return sayRefused(call, text.refusal);
    const decision = parse(text.value);
    if (decision === null)
      return sayRefused(
        call,
        refused('unreadable', 'This is no decision, or none of this version of Holdpoint.').refusal,
      );
    const by = verifyDecision(decision, known);
    if (!by.ok) return sayRefused(call, by.refusal);
    const signatures = readSignatures(decision, known).map(({ signature, state, key }) => ({
      ...signature,
      state,
      signer: key?.name ?? null,
    }));
    const { decisionId, suspension, digest, reviewer, decidedAt } = decision;
    const good = { ok: true, decisionId, suspension, digest, reviewer, decidedAt, signatures };
    const words = signatures.map(({ state, signer, name, keyId, at }) =>
      state === 'good'
        ? `  signed by ${oneLine(signer ?? name)} (${keyId}) at ${at}`
        : `  a signature of an unknown key (${keyId}, ${oneLine(name)}) counts for nothing`,
    );
    const head = `Decision ${decisionId} by ${oneLine(reviewer.name)} is as it was signed:`;
    await write(call.io.stdout, call.json ? `${toJson(good)}\n` : `${[head, ...words].join('\n')}\n`);
    return EXIT.ok;
  },
};

function keysOf(call: Call): KnownKey[] {
  const given = maybeText(call, 'keys');
  if (given !== undefined)
    return given.split(',').map((publicKey) => {
      if (!KnownReviewer.shape.publicKey.safeParse(publicKey).success)
        throw new UsageError(
          `--keys takes public keys as \`holdpoint key\` prints them; not ${JSON.stringify(publicKey)}`,
        );
      const keyId = keyIdOf(publicKey);
      return { keyId, publicKey, name: `the key ${keyId}`, own: false };
    });
  const located = locateDataFolder(call.data);
  if (!located.ok) return [];
  const { path } = located.value;
  return knownKeys(readKeyFile(path), readSettings(join(path, 'settings.json')).settings);
}

function parse(text: string): Decision | null {
  try {
    return Decision.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    // No JSON: the caller says so.
    return null;
  }
}
