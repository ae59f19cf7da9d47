import { basename } from 'node:path';
import { type Command, maybeText, say, sayRefused, withEngine } from './command.js';
import { readInput } from './input.js';
import { oneLine } from './text.js';

export const suspendCommand: Command = {
  name: 'suspend',
  usage: 'suspend FILE|- [--reason TEXT] [--source NAME] [--continue-here]',
  does: 'puts a suspended run in; you continue it after "await", unless --continue-here',
  takes: [1, 1],
  options: { reason: { type: 'string' }, source: { type: 'string' }, 'continue-here': { type: 'boolean' } },
  async run(call) {
    const [file = ''] = call.positionals;
    const bytes = await readInput(file, call.io.stdin);
    if (!bytes.ok) return sayRefused(call, bytes.refusal);
    return withEngine(
      call,
      async (engine) => {
        const suspended = await engine.suspend(bytes.value, {
          source: maybeText(call, 'source'),
          reason: maybeText(call, 'reason'),
          continueHere: call.values['continue-here'] === true,
          ...(file === '-' ? {} : { name: basename(file) }),
        });
        return say(call, suspended, ({ outcome, run, beside }) => {
          if (outcome === 'already_known') return `already known, nothing changed: ${oneLine(run)}`;
          return beside === undefined ? `taken in: ${oneLine(run)}` : `kept beside ${oneLine(run)}: ${oneLine(beside)}`;
        });
      },
      { make: true },
    );
  },
};
